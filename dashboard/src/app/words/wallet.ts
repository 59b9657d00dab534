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
  title: 'Wallet',
  balances: 'Balance',
  purses: 'Wallets',
  entries: 'Entries',
  topUp: 'Top up',
  moveToMain: 'Move to main',
  moveQuestion: 'Move commission to the main wallet?',
  moveAction: 'Move',
  moveAmount: 'Amount in GHS',
  moveAll: 'All of it',
  mainAfter: 'The main wallet will hold',
  moved: 'Moved to the main wallet',
  kind: 'What',
  from: 'From day',
  to: 'To day',
  all: 'All',
  filters: 'Filters',
  clear: 'Clear the filters',
  file: 'Download as CSV',
  more: 'Show older entries',
  when: 'When',
  about: 'About',
  amount: 'Amount',
  before: 'Before',
  after: 'After',
  empty: 'Nothing has moved yet',
  emptyNext: 'Every top-up, order and refund stands here with the balance before and after it.',
  nothingFits: 'No entry fits',
  nothingFitsNext: 'Choose other days or another kind, or clear the filters.',
  statement: 'Monthly statement',
  statementWhat: 'A document for your books: every entry of the month, proven to add up.',
  month: 'Month',
  notEnough: 'The Commission Wallet holds less than that.',
} as const
