import { inLanguage } from '../../languages/in-language.ts'

export const receiptWords = inLanguage('receiptWords', {
  title: 'Receipt for your customer',
  lead: 'A page with your shop, your price and the state. It never shows what you paid.',
  make: 'Make a receipt',
  share: 'Share',
  whatsApp: 'WhatsApp',
  copyLink: 'Copy link',
  see: 'See it',
  showNumber: 'Show the number',
  hideNumber: 'Hide the number',
  revoke: 'End the link',
  revokeAsk: 'End the link?',
  revokeWarning: 'Nobody can open this receipt any more. You can make a new one.',
  text: (goods: string, to: string) => `${goods} for ${to}`,
  setShop: 'Set your shop name and logo',
})
