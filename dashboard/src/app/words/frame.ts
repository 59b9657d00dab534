import { showDay } from '../../both/moments/format-moment.ts'

/** The words around the screens. */
export const frameWords = {
  name: 'Makola',
  navigation: 'Screens',
  home: 'Home',
  buy: 'Buy',
  orders: 'Orders',
  wallet: 'Wallet',
  notices: 'Notices',
  sms: 'SMS',
  topUp: 'Top up',
  developer: 'Developer API',
  requests: 'Request log',
  business: 'Business approval',
  more: 'More',
  team: 'Team',
  profile: 'Profile',
  signOut: 'Sign out',
  suspended: 'This account is suspended. You can look, and change nothing. Ask the operator why.',
  viewer: 'You can look here, not buy. Ask the owner of the account if you need more.',
} as const

const roles = { customer: 'Customer', agent: 'Agent', dealer: 'Dealer' } as const

/**
 * The role of an account, and its last day if it has one: `Agent until 3 Mar 2027`. After that day the account is a
 * customer's again: `Customer (Agent until 3 Mar 2027)`.
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
