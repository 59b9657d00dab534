import { inLanguage } from '../../languages/in-language.ts'

export type LedgerWords = Readonly<Partial<Record<string, string>>>

/** The kinds of entries as resellers read them. */
export const ledgerWords: LedgerWords = inLanguage('ledgerWords', {
  purchase: 'Order',
  refund: 'Refund',
  commission: 'Commission',
  commission_move: 'Commission moved',
  credit: 'Top-up',
  correction: 'Correction',
  adjustment: 'Adjustment',
  sms_credit: 'SMS credits added by us',
  top_up: 'Top-up',
  credits_paid: 'SMS credits bought',
  credits_bought: 'SMS credits bought',
  sms_refund: 'Texts refunded',
})
