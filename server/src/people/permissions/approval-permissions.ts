import type { StaffPermission } from './staff-permissions.ts'

/**
 * The permission to decide a proposal at the desk, by the name of its kind; the routes that propose one need the same. Nobody at
 * the desk can decide a kind that is missing here.
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
  'member reset-second-factor': 'manage_accounts',
  'supplier float-topup': 'reconcile',
  'gateway set': 'manage_settings',
  'supplier set': 'manage_suppliers',
  'history accept': 'manage_settings',
  'personal erase': 'manage_personal_data',
}
