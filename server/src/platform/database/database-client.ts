import { createHash } from 'node:crypto'
import pg from 'pg'
import { arrayText } from './array-text.ts'
import { watchCommits } from './commit-in-doubt.ts'
import { classifyDatabaseError, readOnlyTransaction } from './database-errors.ts'
import { recordDatabaseError } from './record-database-errors.ts'

/** At most this many prepared statements are kept per process, so that generated SQL cannot fill the server's memory. */
const preparedStatementsMax = 300
const preparedNames = new Map<string, string>()

function preparedName(text: string): string | undefined {
  const known = preparedNames.get(text)
  if (known !== undefined || preparedNames.size >= preparedStatementsMax) return known
  const name = createHash('sha256').update(text).digest('base64url').slice(0, 20)
  preparedNames.set(text, name)
  return name
}

/**
 * Settings that a server reports by itself, when a connection begins and whenever they change (PostgreSQL, "Asynchronous
 * Operations").
 */
const readOnlySettings = new Set(['in_hot_standby', 'default_transaction_read_only'])

/** A single statement that only reads, as far as its text shows. */
const singleRead = /^\s*(?:select|with)\b[^;]*$/

type StatusReport = { parameterName: string; parameterValue: string }

/**
 * A connection that knows whether its server accepts writes (`takesWrites`), and whether it must be replaced, because it is lost
 * or its server is going away (`isBroken`).
 *
 * It prepares each distinct statement once, up to `preparedStatementsMax`: planning the intake's statements costs more than
 * running them, and a query of a partitioned table is planned for each partition. A text without
 * parameters is prepared only if it is one statement that reads. Others are sent as simple queries, because a migration may hold
 * several statements.
 */
export class DatabaseClient extends pg.Client {
  /** The moment at which it began to connect, in milliseconds of `performance.now`. */
  readonly openedAt = performance.now()
  readonly #readOnlyBy = new Set<string>()
  readonly #commits = watchCommits(this)
  #isBroken = false
  #timeLine = ''
  #askedAt: number | undefined

  constructor(config?: string | pg.ClientConfig) {
    super(config)
    const { connection } = this as unknown as { connection: NodeJS.EventEmitter }
    connection.on('parameterStatus', ({ parameterName, parameterValue }: StatusReport) => {
      if (!readOnlySettings.has(parameterName)) return
      if (parameterValue === 'on') this.#readOnlyBy.add(parameterName)
      else this.#readOnlyBy.delete(parameterName)
    })
  }

  /** True when the server last reported that it accepts writes. Reading this costs no round trip. */
  get takesWrites(): boolean {
    return this.#readOnlyBy.size === 0
  }

  /** True: the next statement needs a new connection. */
  get isBroken(): boolean {
    return this.#isBroken
  }

  /** How long the present statement has waited for its answer, in milliseconds; 0 where none is under way. */
  get waitedMilliseconds(): number {
    return this.#askedAt === undefined ? 0 : performance.now() - this.#askedAt
  }

  /** The timeline of the server, as `readTimeLine` has read it. Empty until then. */
  get timeLine(): string {
    return this.#timeLine
  }

  /**
   * Reads the timeline of a server that accepts writes, as a text that sorts in the order of timelines. Each promotion of a
   * standby begins a new one. A former leader that does not know of the promotion yet stays on the old one: it takes
   * connections, but its commits do not end.
   */
  async readTimeLine(): Promise<void> {
    const { rows } = (await this.query('select left(pg_walfile_name(pg_current_wal_lsn()), 8) as line')) as pg.QueryResult<{
      line: string
    }>
    this.#timeLine = rows[0]?.line ?? ''
  }

  /** Ends the connection at once. A statement that waits fails as after a broken connection: whether it was committed is unknown. */
  breakOff(): void {
    this.#isBroken = true
    this.end(() => undefined)
  }

  /**
   * Refuses a connection to a server that accepts no writes; where a standby is wanted, to one that accepts them.
   *
   * @throws Error; for a server that accepts no writes, with the code that a write would get there
   */
  refuseOtherServer(isStandbyWanted: boolean): void {
    if (this.takesWrites !== isStandbyWanted) return
    if (isStandbyWanted) throw new Error('The database server is no standby: it takes writes.')
    const reason = this.#readOnlyBy.has('in_hot_standby') ? 'it is a standby' : 'default_transaction_read_only is on'
    throw Object.assign(new Error(`The database server takes no writes: ${reason}.`), { code: readOnlyTransaction })
  }

  // The overloads of pg's `query` cannot be written again exactly; Kysely calls it with text and values only.
  // oxlint-disable-next-line typescript/no-explicit-any
  override query(config: any, values?: any, callback?: any): any {
    this.#commits.begin(config === 'commit')
    const asked = this.#ask(config, values, callback)
    if (!(asked instanceof Promise)) return asked
    this.#askedAt = performance.now()
    const trusted = asked.then((answer: unknown) => {
      this.#askedAt = undefined
      this.#commits.end()
      return answer
    })
    trusted.catch((error: unknown) => this.#noteError(error))
    return trusted
  }

  // oxlint-disable-next-line typescript/no-explicit-any
  #ask(config: any, values: any, callback: any): unknown {
    if (typeof config !== 'string' || !Array.isArray(values)) return super.query(config, values, callback)
    if (values.length === 0 && !singleRead.test(config)) return super.query(config, callback)
    const given: unknown[] = values.map((value) => (Array.isArray(value) ? arrayText(value) : (value as unknown)))
    return super.query({ name: preparedName(config), text: config, values: given } as pg.QueryConfig, callback)
  }

  #noteError(error: unknown): void {
    this.#askedAt = undefined
    recordDatabaseError(error)
    this.#isBroken ||= classifyDatabaseError(error) === 'connection_lost'
    // After a statement that timed out, all later statements would wait, even a ROLLBACK. So the connection is ended.
    if (error instanceof Error && error.message === 'Query read timeout') this.breakOff()
  }
}
