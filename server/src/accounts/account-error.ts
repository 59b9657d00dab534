/** A request about accounts or keys that cannot be carried out. The message is written for the person who asked. */
export class AccountError extends Error {
  override readonly name = 'AccountError'
}

/** A value that is wrong in itself, such as a malformed e-mail, whatever the database holds. */
export class AccountValueError extends AccountError {}

/** An account whose persons sign in keeps an owner. */
export class LastOwnerError extends AccountError {}
