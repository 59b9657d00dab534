import type { StaffPermission } from './staff-permissions.ts'

/**
 * What somebody of the staff needs to confirm or refuse a proposal, by the name of its kind. Whoever proposes one at the desk
 * needs the same, because the route that proposes it asks for it. A kind that is missing here can be decided by nobody at the
 * desk.
 */
export const approvalPermissions: Readonly<Record<string, StaffPermission>> = {
  'wallet credit': 'manage_money',
  'sms credit': 'manage_money',
  'wallet correct': 'manage_money',
  'sms correct': 'manage_money',
  'top-up confirm': 'manage_money',
  'order settle': 'settle_orders',
  'order take-back': 'manage_money',
  'order adjust': 'manage_money',
  'vouchers withdraw': 'manage_stock',
  'setting set': 'manage_settings',
  'setting keep': 'manage_settings',
  'staff set-role': 'manage_staff',
  'supplier float-topup': 'reconcile',
  'gateway set': 'manage_settings',
  'supplier set': 'manage_suppliers',
}
