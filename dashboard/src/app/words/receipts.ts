import { inLanguage } from '../../languages/in-language.ts'

export const receiptWords = inLanguage('receiptWords', {
  title: 'Receipt for your customer',
  lead: 'A page with your shop and whether it was delivered. It never shows what you paid.',
  withPrice: (price: string) => `It shows your price, ${price}.`,
  withoutPrice: 'It shows no price, because you had set none for this.',
  make: 'Make a receipt',
  share: 'Share',
  whatsApp: 'Send on WhatsApp',
  copyLink: 'Copy link',
  see: 'See it',
  showNumber: 'Show the customer’s number on it',
  hideNumber: 'Hide the customer’s number',
  revoke: 'Delete the receipt',
  revokeAsk: 'Delete this receipt?',
  revokeWarning: 'The link that you sent stops working. You can make a new receipt.',
  setShop: 'Set your shop name and logo',
})
