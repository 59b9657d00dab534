import type { operations } from '../../both/api/dashboard-api.d.ts'

type Query = operations['listEntries']['parameters']['query']
export type Purse = Query['purse']
export type EntryKind = NonNullable<Query['kind']>

export const purseWords: Readonly<Record<Purse, string>> = {
  main: 'Main',
  commission: 'Commission',
  sms_credits: 'SMS credits',
}

export const entryWords: Readonly<Partial<Record<string, string>>> = {
  purchase: 'Order',
  refund: 'Refund',
  commission: 'Commission',
  commission_move: 'Commission moved',
  credit: 'Top-up',
  correction: 'Correction',
  adjustment: 'Adjustment',
  sms_credit: 'SMS credits from the operator',
  top_up: 'Top-up',
  credits_paid: 'SMS credits bought',
  credits_bought: 'SMS credits bought',
  sms_refund: 'Texts refunded',
}

export const walletWords = {
  purses: 'Wallets',
  moveToMain: 'Move to main',
  moveQuestion: 'Move commission to the main wallet?',
  moveAction: 'Move',
  moveAll: 'All of it',
  mainAfter: 'The main wallet will hold',
  moved: 'Moved to the main wallet',
  empty: 'Nothing has moved yet',
  emptyNext: 'Every top-up, order and refund stands here with the balance before and after it.',
  nothingFitsNext: 'Choose other days or another kind, or clear the filters.',
  statementWhat: 'A document for your books: every entry of the month, proven to add up.',
  month: 'Month',
  notEnough: 'The Commission Wallet holds less than that.',
} as const
