import type { Role } from './caller.ts'

/** A reseller (or a plain customer) as the operator sees it. */
export type Account = {
  readonly accountId: string
  readonly email: string
  readonly name: string
  readonly role: Role
  /** Null: it is a role for life, or the account is a plain customer. */
  readonly roleExpiresAt: Date | null
  readonly status: 'active' | 'suspended'
  /** Approved for SMS (decision S10). */
  readonly isBusiness: boolean
  readonly policyAcceptedAt: Date | null
  readonly createdAt: Date
}
