import { showDay } from './moments/format-moment.ts'

const roles = { customer: 'Customer', agent: 'Agent', dealer: 'Dealer' } as const

/**
 * The role of an account, and its last day if it has one: `Agent until 3 Mar 2027`. After that day the account is a customer's
 * again: `Customer (Agent until 3 Mar 2027)`.
 */
export function roleWords({
  role,
  role_expires_at: end,
}: {
  readonly role: keyof typeof roles
  readonly role_expires_at: string | null
}): string {
  if (end === null) return roles[role]
  return new Date(end) > new Date()
    ? `${roles[role]} until ${showDay(end)}`
    : `${roles.customer} (${roles[role]} until ${showDay(end)})`
}
