import type { StaffPermission } from '../me.ts'
import { frameWords } from '../words/frame.ts'
import { reportWords } from '../words/orders.ts'
import { packageWords } from '../words/packages.ts'
import { reconcileWords } from '../words/reconcile.ts'
import { reportWords as salesWords } from '../words/reports.ts'
import { suppliersWords } from '../words/suppliers.ts'
import { topUpWords } from '../words/top-ups.ts'

/** A command of the search: its title, its screen, and the permission that it needs. */
export type DeskCommand = {
  readonly title: string
  /** Other words with which people look for the command. */
  readonly words?: string
  readonly path: string
  readonly permission: StaffPermission
}

/** Other words under which people look for a screen of the rail. */
export const otherNames: Readonly<Record<string, string>> = {
  '/': 'home tasks to do',
  '/sms': 'campaigns texts messages',
  '/approvals': 'proposals second person',
  '/accounts': 'resellers customers',
  '/keys': 'api',
  '/top-ups': 'deposits transfers payments',
  '/packages': 'prices bundles data',
  '/vouchers': 'stock results checker waec',
  '/numbers': 'prefixes ported',
  '/switches': 'settings options limits',
  '/suppliers': 'routes links float',
  '/reconcile': 'statements differences',
  '/reports': 'sales margin figures',
  '/log': 'history chain',
  '/you': 'profile password second factor sessions colours',
}

/** Screens and parts of screens that are not in the rail. */
export const innerScreens: readonly { readonly title: string; readonly path: string; readonly words: string }[] = [
  { title: reportWords.title, path: '/reports-of-orders', words: 'reports orders complaints' },
  { title: frameWords.problems, path: '/problems', words: 'help support complaints tickets' },
  { title: topUpWords.gateways, path: '/gateways', words: 'payment paystack hubtel momo' },
  { title: packageWords.sets.title, path: '/packages/scheduled', words: 'price changes' },
  ...(['tax', 'owed', 'float', 'mail'] as const).map((kind) => ({
    title: `${frameWords.reports}: ${salesWords.kinds[kind]}`,
    path: `/reports/${kind}`,
    words: '',
  })),
  { title: suppliersWords.views.routes, path: '/suppliers?view=routes', words: 'supplier' },
  { title: suppliersWords.views.links, path: '/suppliers?view=links', words: 'supplier smpp registry' },
  { title: reconcileWords.views.statements, path: '/reconcile?view=statements', words: 'supplier import' },
  { title: reconcileWords.views.float, path: '/reconcile?view=float', words: 'supplier drift' },
]

/** The commands that Ctrl-K offers besides the screens and the results. Signing out is added in `useChoices`. */
export const deskCommands: readonly DeskCommand[] = [
  {
    title: 'Show a message to all resellers',
    words: 'incident banner outage announce tell trouble',
    path: '/notices?tell=yes',
    permission: 'announce_incidents',
  },
  { title: 'Send a test alert', words: 'alarm mail webhook', path: '/alarms', permission: 'handle_alarms' },
  { title: 'Look at stuck orders', words: 'held waiting settle', path: '/orders', permission: 'see' },
  { title: 'Answer a report: not delivered', words: 'complaint', path: '/reports-of-orders', permission: 'settle_orders' },
  { title: 'Answer a problem', words: 'help support ticket', path: '/problems', permission: 'manage_accounts' },
  { title: 'Approve keys', words: 'pending key', path: '/keys', permission: 'manage_keys' },
  { title: 'Confirm a transfer', words: 'top-up deposit paid in', path: '/top-ups', permission: 'manage_money' },
  { title: 'Create an account', words: 'new reseller', path: '/accounts', permission: 'manage_accounts' },
  { title: 'Credit or correct a wallet', words: 'money balance', path: '/accounts', permission: 'manage_money' },
  { title: 'Change prices', words: 'package bulk schedule', path: '/packages', permission: 'manage_catalogue' },
  { title: 'Import vouchers', words: 'stock pins results checker', path: '/vouchers', permission: 'manage_stock' },
  { title: 'Pause a supplier', words: 'route resume', path: '/suppliers', permission: 'manage_suppliers' },
  { title: 'Import a supplier’s statement', words: 'reconcile upload csv', path: '/reconcile', permission: 'reconcile' },
  { title: 'Switch a service off or on', words: 'gate biller feature setting', path: '/switches', permission: 'manage_settings' },
  {
    title: 'Show or erase personal data',
    words: 'privacy forget person number export',
    path: '/personal-data',
    permission: 'manage_personal_data',
  },
  { title: 'Add somebody to the staff', words: 'invite role person', path: '/staff', permission: 'manage_staff' },
]
