import { type ComponentType, lazy } from 'react'
import { once } from '../both/layout/load-parts.ts'
import type { Destination } from '../both/layout/shell.tsx'
import { loadWithSheet } from './load-screens-sheet.ts'
import type { Me, Permission } from './me.ts'
import { frameWords } from './words/frame.ts'

export type Screen = {
  /** The address below `/app`, in the syntax of wouter. */
  readonly path: string
  readonly component: ComponentType
  readonly load: () => Promise<unknown>
}

function screen(path: string, loadCode: () => Promise<{ default: ComponentType }>): Screen {
  const load = once(path === '/' ? loadCode : () => loadWithSheet(loadCode))
  return { path, component: lazy(load), load }
}

/** Every screen behind the sign-in, one line each. */
export const screens: readonly Screen[] = [
  screen('/', () => import('./home/home-screen.tsx')),
  screen('/buy/:product?', () => import('./buy/buy-screen.tsx')),
  screen('/team', () => import('./team/team-screen.tsx')),
  screen('/profile', () => import('./profile/profile-screen.tsx')),
  screen('/profile/password', () => import('./profile/password-screen.tsx')),
  screen('/profile/second-factor', () => import('./profile/second-factor-screen.tsx')),
  screen('/profile/phone', () => import('./profile/phone-screen.tsx')),
  screen('/profile/sessions', () => import('./sessions/sessions-screen.tsx')),
  screen('/orders/:order?', () => import('./orders/orders-screen.tsx')),
  screen('/wallet', () => import('./wallet/wallet-screen.tsx')),
  screen('/notices', () => import('./notices/notices-screen.tsx')),
  screen('/help', () => import('./help/help-screen.tsx')),
  screen('/sms', () => import('./sms/sms-screen.tsx')),
  screen('/sms/new', () => import('./sms/new-sms-screen.tsx')),
  screen('/sms/campaigns/:id', () => import('./sms/campaign-screen.tsx')),
  screen('/sms/credits', () => import('./sms/buy-credits-screen.tsx')),
  screen('/sms/senders', () => import('./sms/senders-screen.tsx')),
  screen('/sms/contacts', () => import('./sms/contacts-screen.tsx')),
  screen('/sms/contacts/:id', () => import('./sms/contact-list-screen.tsx')),
  screen('/customers', () => import('./customers/customers-screen.tsx')),
  screen('/customers/:id', () => import('./customers/customer-screen.tsx')),
  screen('/prices', () => import('./prices/prices-screen.tsx')),
  screen('/shop', () => import('./shop/shop-screen.tsx')),
  screen('/top-up', () => import('./top-up/top-up-screen.tsx')),
  screen('/top-up/:id', () => import('./top-up/one-top-up-screen.tsx')),
  screen('/developer', () => import('./keys/developer-screen.tsx')),
  screen('/developer/policy', () => import('./keys/policy-screen.tsx')),
  screen('/developer/new/:type', () => import('./keys/new-key-screen.tsx')),
  screen('/developer/keys/:type', () => import('./keys/key-screen.tsx')),
  screen('/developer/test', () => import('./keys/test-side-screen.tsx')),
  screen('/sms/key', () => import('./keys/key-screen.tsx')),
  screen('/developer/webhooks', () => import('./webhooks/webhooks-screen.tsx')),
  screen('/requests', () => import('./requests/requests-screen.tsx')),
  screen('/requests/:callId', () => import('./requests/request-screen.tsx')),
  screen('/business', () => import('./business/business-screen.tsx')),
  screen('/more', () => import('./more/more-screen.tsx')),
]

/**
 * Loads the code of a screen before it is shown.
 *
 * @param address below `/app`, such as `/orders/7`
 */
export async function loadScreenAt(address: string): Promise<void> {
  const isOf = (path: string) => new RegExp(`^${path.replace(/\/:\w+\?/, '(?:/[^/]+)?').replace(/:\w+/, '[^/]+')}$`).test(address)
  await screens.find(({ path }) => isOf(path))?.load()
}

/**
 * The destinations of the navigation rail. On a phone, those with `isInBar` are in the bottom bar and the others under More.
 */
const allDestinations = (): readonly (Destination & { readonly permission?: Permission })[] => [
  { href: '/', title: frameWords.home, isInBar: true },
  { href: '/buy', title: frameWords.buy, isInBar: true, permission: 'buy' },
  { href: '/orders', title: frameWords.orders, isInBar: true },
  { href: '/sms', title: frameWords.sms, isInBar: true },
  { href: '/customers', title: frameWords.customers, group: frameWords.groups.shop },
  { href: '/prices', title: frameWords.prices, group: frameWords.groups.shop },
  { href: '/wallet', title: frameWords.wallet, group: frameWords.groups.money },
  { href: '/top-up', title: frameWords.topUp, group: frameWords.groups.money },
  { href: '/team', title: frameWords.team, group: frameWords.groups.account, permission: 'manage_members' },
  { href: '/business', title: frameWords.business, group: frameWords.groups.account, permission: 'manage_account' },
  { href: '/notices', title: frameWords.notices, group: frameWords.groups.account },
  { href: '/profile', title: frameWords.profile, group: frameWords.groups.account },
  { href: '/help', title: frameWords.help, group: frameWords.groups.account },
  { href: '/developer', title: frameWords.developer, group: frameWords.groups.programs },
  { href: '/requests', title: frameWords.requestLog, group: frameWords.groups.programs },
  { href: '/more', title: frameWords.more, isInBar: true, isOnlyInBar: true },
]

/** The destinations for the signed-in person. Staff who view the account get no profile here; theirs is in the desk app. */
export function destinationsFor({ permissions, view }: Me): readonly Destination[] {
  return allDestinations().filter(
    ({ href, permission }) =>
      (permission === undefined || permissions.includes(permission)) && (view === null || href !== '/profile'),
  )
}
