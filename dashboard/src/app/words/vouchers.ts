import { inLanguage } from '../../languages/in-language.ts'

/** Apart from the words of orders, which every purchase loads. */
export const voucherWords = inLanguage('voucherWords', {
  whatsApp: 'WhatsApp',
  printA4: 'Print on A4',
  printRoll: 'Print on a 58 mm roll',
  keepSlip: 'Keep this slip safe. The PIN is needed for the results.',
})
