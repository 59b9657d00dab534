import type { Caller } from './caller.ts'

/** An account's role as its owner sees it (contract, Account role). */
export type AccountRole = {
  readonly role: string
  readonly is_active: boolean
  readonly is_permanent: boolean
  readonly expires_at: string | null
  readonly days_remaining: number | null
}

const dayMilliseconds = 24 * 60 * 60 * 1_000

/**
 * The caller's role at a moment of the database's clock. An expired role keeps its name, but is not active. `days_remaining` is
 * rounded up, and is 0 after the expiry (decisions F1; F2: which roles are active; S9b).
 */
export function findAccountRole(caller: Pick<Caller, 'role' | 'roleExpiresAt'>, databaseNow: Date): AccountRole {
  const { role, roleExpiresAt } = caller
  if (roleExpiresAt === null) {
    return { role, is_active: true, is_permanent: true, expires_at: null, days_remaining: null }
  }
  const remainingMilliseconds = roleExpiresAt.getTime() - databaseNow.getTime()
  return {
    role,
    is_active: remainingMilliseconds > 0,
    is_permanent: false,
    expires_at: roleExpiresAt.toISOString(),
    days_remaining: Math.max(0, Math.ceil(remainingMilliseconds / dayMilliseconds)),
  }
}
