/** The role of an account (contract, Account role). */
export type Role = 'customer' | 'agent' | 'dealer'

/** The three key types; each works only in its own area (contract, Authentication). */
export type KeyType = 'standard' | 'sms' | 'commission'

/** Whoever places an order of an account: a program with an API key, or a person in the dashboard. */
export type Purchaser = {
  readonly accountId: string
  readonly role: Role
  /** Null: it is a role for life, or the account is a plain customer. */
  readonly roleExpiresAt: Date | null
  /** The person in the dashboard; undefined for a program. */
  readonly personId?: string | undefined
}

/** The caller: the account whose key was found and passed all checks. */
export type Caller = Purchaser & { readonly keyId: string; readonly keyType: KeyType; readonly personId?: undefined }

/**
 * The role that decides prices and shares at the moment `at`: after the expiry it is `customer` (contract, Account role).
 * `at` must come from the database's clock.
 */
export function pricingRole(role: Role, roleExpiresAt: Date | null, at: Date): Role {
  return roleExpiresAt !== null && roleExpiresAt.getTime() <= at.getTime() ? 'customer' : role
}
