import { demoEmail, demoName } from '../demo-sign-ins.ts'
import type { Chance } from './chance.ts'
import type { DemoAccount } from './demo-world.ts'

/** The domain of the e-mails of invented resellers. No other account has it. */
export const inventedDomain = 'year.makola.test'

const firstNames = [
  'Ama',
  'Kofi',
  'Esi',
  'Kwame',
  'Akua',
  'Yaw',
  'Abena',
  'Kojo',
  'Efua',
  'Kwabɛna',
  'Adwoa',
  'Ɛsɛnam',
  'Nii',
  'Naa',
  'Fuseini',
  'Ayisha',
]
const lastNames = [
  'Mensah',
  'Owusu',
  'Boateng',
  'Asante',
  'Ɔfori',
  'Agyemaŋ',
  'Quaye',
  'Tetteh',
  'Abdulai',
  'Sarpong',
  'Dzidzɔ',
  'Lartey',
  'Amoako',
]
const trades = ['Data', 'Telecom', 'Bundles', 'Digital', 'Ventures', 'Airtime Hub', 'Network', 'Enterprise']
const towns = ['Accra', 'Kumasi', 'Tamale', 'Takoradi', 'Ho', 'Sunyani', 'Koforidua', 'Wa', 'Kasoa', 'Tema']

/** The first digits of a number on each network. */
const prefixes: Readonly<Record<string, readonly string[]>> = {
  MTN: ['024', '054', '055', '059', '025', '053'],
  Telecel: ['020', '050'],
  AT: ['026', '027', '056', '057'],
}

const networkShares = { MTN: 66, Telecel: 20, AT: 14 }

/**
 * A number on a network, 10 digits. Its third last digit is never 9, because the simulator has scripted endings for such numbers.
 */
export function inventNumber(chance: Chance, network: string): string {
  const prefix = chance.pick(prefixes[network] ?? [])
  return `${prefix}${String(chance.between(0, 9_999)).padStart(4, '0')}${String(chance.between(100, 899))}`
}

/** Whether a number belongs to a network by its first digits. */
export function isNumberOf(network: string, number: string): boolean {
  return prefixes[network]?.includes(number.slice(0, 3)) ?? false
}

function inventRecipients(chance: Chance, count: number): string[] {
  return Array.from({ length: count }, () => inventNumber(chance, chance.weigh(networkShares)))
}

/** The demo's own reseller, who joins at the beginning and buys more than any other. */
export function describeOwnReseller(chance: Chance, own: { readonly id: string; readonly joinedAt: number }): DemoAccount {
  return {
    ...own,
    email: demoEmail,
    name: demoName,
    slug: 'makola-demo',
    isInvented: false,
    weight: 4,
    topUpPesewas: 20_000,
    recipients: inventRecipients(chance, 60),
    role: 'agent',
    roleExpiresAt: null,
    isSuspended: false,
    orderCount: 0,
    creditCount: 0,
  }
}

/** Resellers of all sizes. The first ones join at the beginning, the others on the way. */
export function inventAccounts(chance: Chance, count: number, from: number, until: number): DemoAccount[] {
  return Array.from({ length: count }, (_, index): DemoAccount => {
    const isThereFromTheBeginning = index < Math.max(4, count / 4)
    const joinedAt = isThereFromTheBeginning ? from - 3_600_000 : Math.floor(from + (until - from) * 0.8 * chance.next())
    const town = chance.pick(towns)
    const isShop = chance.happens(0.6)
    const person = `${chance.pick(firstNames)} ${chance.pick(lastNames)}`
    const slug = `${town.toLowerCase()}-${index + 1}`
    const role = chance.weigh({ customer: 25, agent: 50, dealer: 25 })
    return {
      id: chance.idAt(joinedAt),
      email: `${slug}@${inventedDomain}`,
      name: isShop ? `${town} ${chance.pick(trades)} ${index + 1}` : `${person} ${index + 1}`,
      slug,
      joinedAt,
      isInvented: true,
      weight: 1 / (1 + index / 3),
      topUpPesewas: 10_000 * chance.pick([2, 5, 5, 10, 20, 40]),
      recipients: inventRecipients(chance, chance.between(20, 120)),
      role,
      roleExpiresAt: role !== 'customer' && chance.happens(0.3) ? until + chance.between(1, 120) * 86_400_000 : null,
      isSuspended: false,
      orderCount: 0,
      creditCount: 0,
    }
  })
}
