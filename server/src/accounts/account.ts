import { OperatorRequestError } from '../platform/operator-request-error.ts'
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

/** The message is for the person who asked. */
export class AccountError extends OperatorRequestError {
  override readonly name = 'AccountError'
}

/** A value that is wrong in itself, such as a malformed e-mail, whatever the database holds. */
export class AccountValueError extends AccountError {
  override readonly isWrongValue = true
}

/** A change that is refused because it would leave an account, or the installation, without an owner. */
export class LastOwnerError extends AccountError {}
