import type { Role } from '../../accounts/caller.ts'
import { demoEmail, demoName } from '../demo-files.ts'
import type { Chance } from './chance.ts'

/** The domain of the e-mails of invented resellers. No other account has it. */
export const inventedDomain = 'year.makola.test'

/** A reseller of the demo's history. Moments are milliseconds, `Infinity` for what never happens. */
export type DemoAccount = {
  readonly id: string
  readonly email: string
  readonly name: string
  /** The start of the account's references. */
  readonly slug: string
  readonly joinedAt: number
  /** How much the account buys, compared with other accounts. */
  readonly weight: number
  /** The usual amount of a top-up. */
  readonly topUpPesewas: number
  /** The usual recipients of its purchases. */
  readonly recipients: readonly string[]
  readonly firstRole: Role
  readonly firstRoleEndsAt: number
  /** The time at which the account got another role, for life. */
  readonly promotedAt: number
  readonly suspendedAt: number
}

const firstNames = 'Ama Kofi Esi Kwame Akua Yaw Abena Kojo Efua Kwabɛna Adwoa Ɛsɛnam Nii Naa Fuseini Ayisha'.split(' ')
const lastNames = 'Mensah Owusu Boateng Asante Ɔfori Agyemaŋ Quaye Tetteh Abdulai Sarpong Dzidzɔ Lartey'.split(' ')
const trades = 'Data Telecom Bundles Digital Ventures Airtime Network Enterprise'.split(' ')
const towns = 'Accra Kumasi Tamale Takoradi Ho Sunyani Koforidua Wa Kasoa Tema'.split(' ')

/** The first digits of a number on each network. */
const prefixes: Readonly<Record<string, readonly string[]>> = {
  MTN: ['024', '054', '055', '059', '025', '053'],
  Telecel: ['020', '050'],
  AT: ['026', '027', '056', '057'],
}

/** The network of a number of 10 digits, by its first digits. */
export const networkOf = (number: string) =>
  Object.keys(prefixes).find((network) => prefixes[network]?.includes(number.slice(0, 3))) ?? 'MTN'

/**
 * A number on a network, 10 digits. Its third last digit is never 9, because the simulator has scripted endings for such numbers.
 */
export function inventNumber(chance: Chance, network: string): string {
  const prefix = chance.pick(prefixes[network] ?? [])
  return `${prefix}${String(chance.between(0, 9_999)).padStart(4, '0')}${String(chance.between(100, 899))}`
}

function inventRecipients(chance: Chance, count: number): string[] {
  const networks = [
    ['MTN', 66],
    ['Telecel', 20],
    ['AT', 14],
  ] as const
  return Array.from({ length: count }, () => inventNumber(chance, chance.pickWeighted(networks)))
}

const better: Readonly<Record<Role, Role>> = { customer: 'agent', agent: 'dealer', dealer: 'agent' }

export function roleAt(account: DemoAccount, at: number): { readonly role: Role; readonly endsAt: number } {
  return at < account.promotedAt
    ? { role: account.firstRole, endsAt: account.firstRoleEndsAt }
    : { role: better[account.firstRole], endsAt: Number.POSITIVE_INFINITY }
}

const never = {
  firstRoleEndsAt: Number.POSITIVE_INFINITY,
  promotedAt: Number.POSITIVE_INFINITY,
  suspendedAt: Number.POSITIVE_INFINITY,
}

/** The demo's own reseller, who joins at the beginning and buys more than any other. */
export function describeOwnReseller(chance: Chance, own: { readonly id: string; readonly joinedAt: number }): DemoAccount {
  const recipients = inventRecipients(chance, 60)
  const known = { email: demoEmail, name: demoName, slug: 'makola-demo', firstRole: 'agent' } as const
  return { ...own, ...known, ...never, weight: 4, topUpPesewas: 20_000, recipients }
}

/** One in this many accounts gets another role during the history. */
const accountsPerPromotion = 6

/** Resellers of all sizes. The first ones join at the beginning, the others during the history. The last one is suspended. */
export function inventAccounts(chance: Chance, count: number, from: number, until: number): DemoAccount[] {
  return Array.from({ length: count }, (_, index): DemoAccount => {
    const joinedAt = index < Math.max(4, count / 4) ? from - 3_600_000 : Math.floor(from + (until - from) * 0.8 * chance.next())
    const town = chance.pick(towns)
    const slug = `${town.toLowerCase()}-${index + 1}`
    const person = `${chance.pick(firstNames)} ${chance.pick(lastNames)}`
    const firstRole = chance.pickWeighted([
      ['customer', 25],
      ['agent', 50],
      ['dealer', 25],
    ] as const)
    const isPromoted = index % accountsPerPromotion === 2
    return {
      ...never,
      id: chance.idAt(joinedAt),
      email: `${slug}@${inventedDomain}`,
      name: `${chance.happens(0.6) ? `${town} ${chance.pick(trades)}` : person} ${index + 1}`,
      slug,
      joinedAt,
      weight: 1 / (1 + index / 3),
      topUpPesewas: 10_000 * chance.pick([2, 5, 5, 10, 20, 40]),
      recipients: inventRecipients(chance, chance.between(20, 120)),
      firstRole,
      ...(firstRole !== 'customer' && chance.happens(0.3) && { firstRoleEndsAt: until + chance.between(1, 120) * 86_400_000 }),
      ...(isPromoted && {
        promotedAt: Math.floor(Math.max(joinedAt, from) + (until - Math.max(joinedAt, from)) * chance.next()),
      }),
      ...(index === count - 1 && { suspendedAt: until - 3 * 86_400_000 }),
    }
  })
}
