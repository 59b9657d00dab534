import type { StaffPermission } from '../me.ts'

/** A command of the search: its title, the screen on which it is done, and the permission that it needs. */
export type DeskCommand = {
  readonly title: string
  /** Other words under which people look for it. */
  readonly words?: string
  readonly path: string
  readonly permission: StaffPermission
}

/** Everything that Ctrl-K offers besides the screens and what it finds. One line each; a place without a screen is left out. */
export const deskCommands: readonly DeskCommand[] = [
  {
    title: 'Tell resellers of trouble',
    words: 'incident banner outage announce message',
    path: '/notices?tell=yes',
    permission: 'announce_incidents',
  },
  { title: 'Send a test alert', words: 'alarm mail webhook', path: '/alarms', permission: 'handle_alarms' },
  { title: 'Look at stuck orders', words: 'held waiting settle', path: '/orders', permission: 'see' },
  { title: 'Answer a report: not delivered', words: 'complaint', path: '/reports-of-orders', permission: 'settle_orders' },
  { title: 'Approve keys', words: 'pending key', path: '/keys', permission: 'manage_keys' },
  { title: 'Confirm a transfer', words: 'top-up deposit paid in', path: '/top-ups', permission: 'manage_money' },
  { title: 'Create an account', words: 'new reseller', path: '/accounts', permission: 'manage_accounts' },
  { title: 'Credit or correct a wallet', words: 'money balance', path: '/accounts', permission: 'manage_money' },
  { title: 'Change prices', words: 'package bulk schedule', path: '/packages', permission: 'manage_catalogue' },
  { title: 'Import vouchers', words: 'stock pins results checker', path: '/vouchers', permission: 'manage_stock' },
  { title: 'Pause a supplier', words: 'route resume', path: '/suppliers', permission: 'manage_suppliers' },
  { title: 'Import a supplier’s statement', words: 'reconcile upload csv', path: '/reconcile', permission: 'reconcile' },
  { title: 'Switch a service off or on', words: 'gate biller feature setting', path: '/switches', permission: 'manage_settings' },
  { title: 'Add somebody to the staff', words: 'invite role person', path: '/staff', permission: 'manage_staff' },
]
