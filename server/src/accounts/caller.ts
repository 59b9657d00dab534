/** The role of an account (contract, Account role). */
export type Role = 'customer' | 'agent' | 'dealer'

/** The three key types; each works only in its own area (contract, Authentication). */
export type KeyType = 'standard' | 'sms' | 'commission'

/** Who asks: the account behind a key that was found, checked and let in. */
export type Caller = {
  readonly accountId: string
  readonly keyId: string
  readonly keyType: KeyType
  readonly role: Role
  /** Null: a lifetime role, or a plain customer. */
  readonly roleExpiresAt: Date | null
}

/**
 * The role that prices and shares follow at `at`: from the moment the expiry passes, a customer's
 * (contract, Account role). `at` must come from the database's clock.
 */
export function pricingRole(role: Role, roleExpiresAt: Date | null, at: Date): Role {
  return roleExpiresAt !== null && roleExpiresAt.getTime() <= at.getTime() ? 'customer' : role
}
