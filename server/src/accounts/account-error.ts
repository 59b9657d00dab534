/** What a person asked of accounts and keys that cannot be done. The message is written for that person. */
export class AccountError extends Error {
  override readonly name = 'AccountError'
}

/** What a person wrote is not what it should be, whatever the database holds. */
export class AccountValueError extends AccountError {}
