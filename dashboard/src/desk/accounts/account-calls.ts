import { useQuery } from '@tanstack/react-query'
import { answerOf, api } from '../../both/api/call-api.ts'
import type { components } from '../../both/api/dashboard-api.d.ts'
import { formatCount, formatGhs } from '../../both/money/format-ghs.ts'
import { type AmountKind, cedis, countFromOne } from '../../both/money/read-amount.ts'

type Schemas = components['schemas']
export type AccountLine = Schemas['AccountLine']
export type Account = Schemas['AccountInFull']
export type Credit = Schemas['AccountCredit']
export type AccountRole = Account['role']
export type PurseName = keyof Account['purses']

export const pathOf = (accountId: string) => ({ path: { account_id: accountId } })

export function useAccount(accountId: string) {
  return useQuery({
    queryKey: ['accounts', accountId],
    queryFn: ({ signal }) => answerOf(() => api.GET('/desk/api/accounts/{account_id}', { params: pathOf(accountId), signal })),
  })
}

export function showPurse(purse: PurseName, amount: number): string {
  return purse === 'sms_credits' ? formatCount(amount) : formatGhs(amount)
}

/** The numbers that a field for a purse takes: GHS, or whole SMS credits. */
export const amountOfPurse = (purse: PurseName): AmountKind => (purse === 'sms_credits' ? countFromOne : cedis)

/** The last moment of a day in Accra, for the end of a role. An empty field gives no end. */
export function endOfDay(day: string): { expires_at?: string } {
  return day === '' ? {} : { expires_at: `${day}T23:59:59.999Z` }
}
