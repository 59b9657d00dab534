import { showDay } from './moments/format-moment.ts'

export const roleNames = { customer: 'Customer', agent: 'Agent', dealer: 'Dealer' } as const

/** The roles of people in an account's team. */
export const memberRoles = { owner: 'Owner', buyer: 'Buyer', viewer: 'Viewer' } as const

/**
 * The role of an account, and its last day if it has one: `Agent until 3 Mar 2027`. After that day the account is a customer's
 * again: `Customer (Agent until 3 Mar 2027)`.
 */
export function roleWords({
  role,
  role_expires_at: end,
}: {
  readonly role: keyof typeof roleNames
  readonly role_expires_at: string | null
}): string {
  if (end === null) return roleNames[role]
  return new Date(end) > new Date()
    ? `${roleNames[role]} until ${showDay(end)}`
    : `${roleNames.customer} (${roleNames[role]} until ${showDay(end)})`
}
