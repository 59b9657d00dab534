import { useQuery } from '@tanstack/react-query'
import { answerOf, api } from '../../both/api/call-api.ts'
import type { components } from '../../both/api/dashboard-api.d.ts'
import { formatCount, formatGhs } from '../../both/money/format-ghs.ts'

type Schemas = components['schemas']
export type AccountLine = Schemas['AccountLine']
export type Account = Schemas['AccountInFull']
export type Credit = Schemas['AccountCredit']
export type AccountRole = Account['role']
export type PurseName = keyof Account['purses']

export const pathOf = (accountId: string) => ({ path: { account_id: accountId } })

/** One account with everything that is shown of it at a glance. */
export function useAccount(accountId: string) {
  return useQuery({
    queryKey: ['desk', 'accounts', accountId],
    queryFn: ({ signal }) => answerOf(() => api.GET('/desk/api/accounts/{account_id}', { params: pathOf(accountId), signal })),
  })
}

/** An amount of a purse, as people read it. */
export function showPurse(purse: PurseName, amount: number): string {
  return purse === 'sms_credits' ? formatCount(amount) : formatGhs(amount)
}

/** Reads a typed amount: GHS with at most two decimals, or whole SMS credits. Undefined: the text is no such amount. */
export function readPurseAmount(purse: PurseName, text: string): number | undefined {
  const cleaned = text.replaceAll(/[\s,]/g, '').replace(/^GHS/i, '')
  const pattern = purse === 'sms_credits' ? /^\d{1,9}$/ : /^\d{1,9}(\.\d{1,2})?$/
  return pattern.test(cleaned) && Number(cleaned) > 0 ? Number(cleaned) : undefined
}

/** The last moment of a day in Accra, for the end of a role. An empty field gives no end. */
export function endOfDay(day: string): { expires_at?: string } {
  return day === '' ? {} : { expires_at: `${day}T23:59:59.999Z` }
}
