import { type ComponentType, lazy } from 'react'
import { fieldWords } from '../both/field-words.ts'
import type { Destination } from '../both/layout/shell.tsx'
import type { StaffPermission } from './me.ts'
import { frameWords } from './words/frame.ts'

export type Screen = {
  /** The address below `/desk`, in the syntax of wouter. */
  readonly path: string
  readonly component: ComponentType
}

const screen = (path: string, load: () => Promise<{ default: ComponentType }>): Screen => ({ path, component: lazy(load) })

/** Every screen behind the sign-in, one line each. */
export const screens: readonly Screen[] = [
  screen('/reports/:report?', () => import('./reports/reports-screen.tsx')),
  screen('/accounts/:account?', () => import('./accounts/accounts-screen.tsx')),
  screen('/accounts/:account/all', () => import('./accounts/account-screen.tsx')),
  screen('/accounts/:account/webhooks', () => import('./accounts/webhooks-screen.tsx')),
  screen('/suppliers/:supplier?', () => import('./suppliers/suppliers-screen.tsx')),
  screen('/reconcile/:difference?', () => import('./reconcile/reconcile-screen.tsx')),
  screen('/', () => import('./needs/needs-screen.tsx')),
  screen('/today', () => import('./today/today-screen.tsx')),
  screen('/alarms/:alarm?', () => import('./alarms/alarms-screen.tsx')),
  screen('/notices', () => import('./notices/notices-screen.tsx')),
  screen('/packages/scheduled/:set?', () => import('./packages/scheduled-screen.tsx')),
  screen('/packages/:package?', () => import('./packages/packages-screen.tsx')),
  screen('/numbers', () => import('./numbers/numbers-screen.tsx')),
  screen('/you', () => import('./you/you-screen.tsx')),
  screen('/orders/:order?', () => import('./orders/orders-screen.tsx')),
  screen('/reports-of-orders/:order?', () => import('./orders/reports-screen.tsx')),
  screen('/sms/:campaign?', () => import('./sms/sms-screen.tsx')),
  screen('/senders', () => import('./senders/senders-screen.tsx')),
  screen('/approvals/:approval?', () => import('./approvals/approvals-screen.tsx')),
  screen('/keys/:key?', () => import('./keys/keys-screen.tsx')),
  screen('/business/:request?', () => import('./business/business-screen.tsx')),
  screen('/problems/:problem?', () => import('./problems/problems-screen.tsx')),
  screen('/top-ups/:top_up?', () => import('./top-ups/top-ups-screen.tsx')),
  screen('/gateways', () => import('./top-ups/gateways-screen.tsx')),
  screen('/log', () => import('./log/log-screen.tsx')),
  screen('/staff', () => import('./staff/staff-screen.tsx')),
  screen('/switches', () => import('./switches/switches-screen.tsx')),
  screen('/personal-data', () => import('./personal/personal-screen.tsx')),
  screen('/vouchers', () => import('./vouchers/vouchers-screen.tsx')),
  screen('/afa', () => import('./afa/afa-screen.tsx')),
  screen('/more', () => import('./more/more-screen.tsx')),
]

export type DeskDestination = Destination & { readonly permission: StaffPermission | undefined }

const { groups } = frameWords

/** Screens with their own addresses that belong to a destination of the rail. */
const below = { orders: ['/reports-of-orders'], topUps: ['/gateways'] }

/**
 * The destinations in the order of the rail. On a phone, those with `isInBar` are in the bottom bar and the others under More.
 */
export const destinations: readonly DeskDestination[] = [
  { href: '/', title: fieldWords.needsYou, permission: 'see', isInBar: true },
  { href: '/today', title: fieldWords.today, permission: 'see' },
  { href: '/orders', title: fieldWords.orders, permission: 'see', group: groups.work, isInBar: true, others: below.orders },
  { href: '/sms', title: fieldWords.sms, permission: 'see', group: groups.work },
  { href: '/approvals', title: frameWords.approvals, permission: 'see', group: groups.work },
  { href: '/accounts', title: fieldWords.accounts, permission: 'see', group: groups.people, isInBar: true },
  { href: '/keys', title: frameWords.keys, permission: 'see', group: groups.people },
  { href: '/business', title: frameWords.business, permission: 'see', group: groups.people },
  { href: '/top-ups', title: frameWords.topUps, permission: 'see', group: groups.people, others: below.topUps },
  { href: '/senders', title: frameWords.senders, permission: 'see', group: groups.people },
  { href: '/notices', title: fieldWords.notices, permission: 'see', group: groups.people },
  { href: '/packages', title: frameWords.packages, permission: 'see', group: groups.catalogue },
  { href: '/vouchers', title: frameWords.vouchers, permission: 'see', group: groups.catalogue },
  { href: '/afa', title: frameWords.afa, permission: 'see', group: groups.catalogue },
  { href: '/numbers', title: frameWords.numbers, permission: 'see', group: groups.catalogue },
  { href: '/switches', title: frameWords.switches, permission: 'see', group: groups.catalogue },
  { href: '/suppliers', title: fieldWords.suppliers, permission: 'see', group: groups.suppliers },
  { href: '/reconcile', title: frameWords.reconcile, permission: 'see', group: groups.suppliers },
  { href: '/reports', title: frameWords.reports, permission: 'see', group: groups.office },
  { href: '/alarms', title: frameWords.alarms, permission: 'see', group: groups.office },
  { href: '/log', title: frameWords.log, permission: 'see_log', group: groups.office },
  { href: '/staff', title: frameWords.staff, permission: 'see_log', group: groups.office },
  { href: '/you', title: frameWords.you, permission: undefined, group: groups.office },
  { href: '/more', title: fieldWords.more, permission: undefined, isInBar: true, isOnlyInBar: true },
]

export function destinationsFor(permissions: readonly StaffPermission[]): readonly DeskDestination[] {
  return destinations.filter(({ permission }) => permission === undefined || permissions.includes(permission))
}
