import { inLanguage } from '../languages/in-language.ts'
import { showDay } from './moments/format-moment.ts'

export const roleNames = inLanguage('roleNames', { customer: 'Customer', agent: 'Agent', dealer: 'Dealer' })

export const memberRoles = inLanguage('memberRoles', { owner: 'Owner', buyer: 'Buyer', viewer: 'Viewer' })

export const roleTimeWords = inLanguage('roleTimeWords', {
  until: (role: string, day: string) => `${role} until ${day}`,
  ended: (role: string, before: string, day: string) => `${role} (${before} until ${day})`,
})

/**
 * The role of an account, and its last day if it has one: `Agent until 3 Mar 2027`. After that day the account has the role of
 * a customer: `Customer (Agent until 3 Mar 2027)`.
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
    ? roleTimeWords.until(roleNames[role], showDay(end))
    : roleTimeWords.ended(roleNames.customer, roleNames[role], showDay(end))
}
