import type { operations } from '../../both/api/dashboard-api.d.ts'
import { inLanguage } from '../../languages/in-language.ts'

type Query = operations['listEntries']['parameters']['query']
export type Purse = Query['purse']

export const purseWords: Readonly<Record<Purse, string>> = inLanguage('purseWords', {
  main: 'Main',
  commission: 'Commission',
  sms_credits: 'SMS credits',
})

export const walletWords = inLanguage('walletWords', {
  purses: 'Wallets',
  earned: 'Earned, and yours to move.',
  pending: (amount: string) => `${amount} more comes when your open orders are delivered.`,
  moveToMain: 'Move to main',
  moveQuestion: 'Move commission to the main wallet?',
  moveAction: 'Move',
  moveAll: 'All of it',
  mainAfter: 'The main wallet will hold',
  moved: 'Moved to the main wallet',
  empty: 'Nothing has moved yet',
  emptyNext: 'Every top-up, order and refund is listed here with the balance before and after it.',
  nothingFitsNext: 'Choose other days or another kind, or clear the filters.',
  statementWhat: 'For your books: every entry of the month, and totals that add up.',
  month: 'Month',
  notEnough: 'The Commission Wallet holds less than that.',
})
