export const memberRoles = ['owner', 'buyer', 'viewer'] as const

export type MemberRole = (typeof memberRoles)[number]

/**
 * The permissions of the app, each with the roles that have it. The members of a suspended account see
 * everything, change nothing, and may ask the operator for help.
 */
export const memberPermissions = {
  look: ['owner', 'buyer', 'viewer'],
  report_problems: ['owner', 'buyer', 'viewer'],
  buy: ['owner', 'buyer'],
  send_sms: ['owner', 'buyer'],
  top_up: ['owner', 'buyer'],
  move_money: ['owner'],
  manage_keys: ['owner'],
  manage_members: ['owner'],
  manage_account: ['owner'],
} as const satisfies Record<string, readonly MemberRole[]>

export type MemberPermission = keyof typeof memberPermissions

const whileSuspended: readonly MemberPermission[] = ['look', 'report_problems']

/** The permissions of a member, in the order of the table. */
export function permissionsOfMember(role: MemberRole, accountStatus: 'active' | 'suspended'): MemberPermission[] {
  const all = Object.keys(memberPermissions) as MemberPermission[]
  return all.filter(
    (permission) =>
      (memberPermissions[permission] as readonly MemberRole[]).includes(role) &&
      (accountStatus === 'active' || whileSuspended.includes(permission)),
  )
}
