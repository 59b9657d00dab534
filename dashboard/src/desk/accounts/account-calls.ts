import type { components } from '../../both/api/dashboard-api.d.ts'
import { useRead } from '../../both/api/use-read.ts'
import type { TypedTexts } from '../../both/form/fields.ts'
import { showAmount } from '../../both/money/ledger.tsx'
import { type AmountKind, cedis, countFromOne } from '../../both/money/read-amount.ts'
import { accountWords as words } from '../words/accounts.ts'

type Schemas = components['schemas']
export type AccountLine = Schemas['AccountLine']
export type Account = Schemas['AccountInFull']
export type Credit = Schemas['AccountCredit']
export type AccountRole = Account['role']
export type PurseName = keyof Account['purses']

export function useAccount(accountId: string) {
  return useRead('accounts', '/desk/api/accounts/{account_id}', { account_id: accountId })
}

export function showPurse(purse: PurseName, amount: number): string {
  return showAmount(purse === 'sms_credits' ? 'credits' : 'GHS', amount)
}

/** The numbers that a field for a purse takes: GHS, or whole SMS credits. */
export const amountOfPurse = (purse: PurseName): AmountKind => (purse === 'sms_credits' ? countFromOne : cedis)

/** The day on which a role ends. The role of a customer never ends. */
export const endField = {
  kind: 'date',
  label: words.expires,
  isShown: ({ role }: TypedTexts) => role !== 'customer',
} as const

/** The last moment of a day in Accra, for the end of a role. An empty field gives no end. */
export const endOfDay = (day: string): string | undefined => (day === '' ? undefined : `${day}T23:59:59.999Z`)
