export const staffRoles = ['owner', 'finance', 'support', 'catalogue', 'auditor'] as const

export type StaffRole = (typeof staffRoles)[number]

/** The permissions of the desk, each with the roles that have it. */
export const staffPermissions = {
  see: ['owner', 'finance', 'support', 'catalogue', 'auditor'],
  see_log: ['owner', 'auditor'],
  manage_accounts: ['owner', 'support'],
  manage_keys: ['owner', 'support'],
  manage_money: ['owner', 'finance'],
  settle_orders: ['owner', 'finance', 'support'],
  manage_catalogue: ['owner', 'catalogue'],
  manage_stock: ['owner', 'catalogue'],
  manage_suppliers: ['owner', 'catalogue'],
  reconcile: ['owner', 'finance'],
  manage_settings: ['owner'],
  handle_alarms: ['owner', 'finance', 'support', 'catalogue'],
  announce_incidents: ['owner', 'support'],
  manage_staff: ['owner'],
  manage_personal_data: ['owner'],
} as const satisfies Record<string, readonly StaffRole[]>

export type StaffPermission = keyof typeof staffPermissions

/** The permissions of a role, in the order of the table. */
export function permissionsOfStaff(role: StaffRole): StaffPermission[] {
  const all = Object.keys(staffPermissions) as StaffPermission[]
  return all.filter((permission) => (staffPermissions[permission] as readonly StaffRole[]).includes(role))
}
