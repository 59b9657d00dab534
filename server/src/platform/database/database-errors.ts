import pg from 'pg'

/**
 * The meaning of a failed statement for the caller, by SQLSTATE (PostgreSQL, appendix A). `no_partition`: the row belongs to a
 * month for which its table has no partition.
 */
export type DatabaseErrorKind =
  | 'connection_lost'
  | 'lock_not_available'
  | 'serialization'
  | 'no_partition'
  | 'constraint'
  | 'other'

/** The server became a standby, or accepts no writes for another reason. Another server may accept them, or this one later. */
export const readOnlyTransaction = '25006'

const connectionLostCodes = new Set([
  readOnlyTransaction,
  '57P01',
  '57P02',
  '57P03',
  '57P05',
  '25P03',
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOENT',
  'ETIMEDOUT',
  'EHOSTUNREACH',
])

/** No connection was handed out: no server could be reached, none was free in time, or connections are held back. */
export class DatabaseAwayError extends Error {
  override name = 'DatabaseAwayError'
  /** The error code of the first server. */
  readonly code: string | undefined
  constructor(errors: readonly unknown[]) {
    const [first] = errors
    super([...new Set(errors.map((error) => (error instanceof Error ? error.message : String(error))))].join(' | '), {
      cause: first,
    })
    this.code = errorCodeOf(first)
  }
}

/** The code that PostgreSQL or Node gave an error, if it has one. */
export function errorCodeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}

export function classifyDatabaseError(error: unknown): DatabaseErrorKind {
  if (error instanceof DatabaseAwayError) return 'connection_lost'
  const code = errorCodeOf(error)
  if (code === '55P03') return 'lock_not_available'
  if (code === '40001' || code === '40P01' || code === '57014') return 'serialization'
  if (code === '23514' && (error as { constraint?: unknown }).constraint === undefined) return 'no_partition'
  if (code?.startsWith('23')) return 'constraint'
  if (code !== undefined && (connectionLostCodes.has(code) || code.startsWith('08') || code.startsWith('53')))
    return 'connection_lost'
  const message = error instanceof Error ? error.message : ''
  if (
    /connection terminated|timeout exceeded when trying to connect|client has encountered a connection error|not queryable|connection error|query read timeout/i.test(
      message,
    )
  ) {
    return 'connection_lost'
  }
  return 'other'
}

/** True when the data of a statement may have made it fail. Then the rest of a batch may succeed without that part. */
export function isFaultOfTheData(error: unknown): boolean {
  const kind = classifyDatabaseError(error)
  return kind === 'other' || kind === 'constraint'
}

/** The name of the violated constraint, such as `wallets_balance_not_negative`. */
function violatedConstraint(error: unknown): string | undefined {
  if (classifyDatabaseError(error) !== 'constraint') return undefined
  const { constraint } = error as { constraint?: unknown }
  return typeof constraint === 'string' ? constraint : undefined
}

/**
 * Turns the violation of one constraint into a refusal. Use it in `.catch(…)`; every other error is thrown unchanged.
 * @param refuse makes the error that is thrown instead; `cause` is the database's own
 */
export function onConstraint(name: string, refuse: (cause: unknown) => Error): (error: unknown) => never {
  return (error) => {
    throw violatedConstraint(error) === name ? refuse(error) : error
  }
}

/**
 * True when an error proves that nothing was committed, even as the answer to a commit: the server itself reported it, or
 * no connection was made. A broken connection proves nothing.
 */
export function provesRollback(error: unknown): boolean {
  if (error instanceof DatabaseAwayError || errorCodeOf(error) === readOnlyTransaction) return true
  if (classifyDatabaseError(error) === 'connection_lost') return false
  return error instanceof pg.DatabaseError
}
