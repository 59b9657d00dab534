import { OperatorRequestError } from '../platform/operator-request-error.ts'
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
