import { CompiledQuery } from 'kysely'
import type { Logger } from 'pino'
import type { Db } from '../database/database.ts'
import { untilSharedTick } from '../polling/shared-tick.ts'
import { beginGap, findGap, type Gap } from './gaps.ts'
import { compareMark, type HistoryRow, historyQuery, type Mark, moveMark } from './mark.ts'
import type { MarkFile } from './mark-file.ts'

/** A connection that was just made, before anything else uses it. */
export type NewConnection = { query(text: string, values: unknown[]): Promise<{ rows: unknown[] }> }

/** Finds out on a new connection whether something is gone that this process was told is committed, and says what. */
export type FindLoss = (connection: NewConnection) => Promise<string | undefined>

/** Asks whether anything may be sold or sent. */
export type HistoryHold = { isHeld(): boolean }

export type HistoryWatch = HistoryHold & {
  /**
   * Compares the database with the file that an earlier process left, and begins to move the mark. Call it when the schema is
   * there, before anything is served.
   */
  begin(): Promise<void>
  /** Compares the database of a new connection with what this process remembers, before the connection is handed out. */
  meet(connection: NewConnection): Promise<void>
  /** Holds everything at once, because of a proof that was found elsewhere. */
  hold(reason: string): void
  /** Registers one more comparison, made on the first connection to each server that this process meets. */
  onNewServer(findLoss: FindLoss): void
  /** Registers the work of this process for a gap: it writes down what it knows to be missing. */
  onGap(report: (gap: Gap) => Promise<void>): void
  /** Registers work for the moment at which people have accepted a gap, before anything goes on. */
  onAccepted(prepare: () => Promise<void>): void
  stop(): void
}

export type HistoryWatchOptions = {
  readonly db: Db
  readonly log: Pick<Logger, 'debug' | 'warn' | 'error'>
  /** The name of this process, for people. */
  readonly name: string
  readonly file: MarkFile
  readonly raiseAlarm: (db: Db, gap: Gap) => Promise<void>
}

const tickMilliseconds = 1_000

type Noticed = {
  readonly reason: string
  readonly wentBackTo?: Date | undefined
  /** True while the address leads to another database. */
  readonly isOtherDatabase?: true
  /** The gap that was written about it. */
  readonly gapId?: string
}

type State = {
  readonly options: HistoryWatchOptions
  hasBegun: boolean
  known: Mark | undefined
  /** The server that was compared last. */
  line: string | undefined
  /** What this process found out by itself. */
  noticed: Noticed | undefined
  openGap: string | undefined
  /** The gap to which this process has added what it knows. It goes on only after the preparations. */
  reportedGap: string | undefined
  looking: Promise<void> | undefined
  timer: NodeJS.Timeout | undefined
  isStopped: boolean
  readonly findLosses: FindLoss[]
  readonly reports: ((gap: Gap) => Promise<void>)[]
  readonly preparations: (() => Promise<void>)[]
}

/**
 * Watches that the history of the database never goes back unseen. About once a second it moves the mark and remembers it, in
 * memory and in a file. History can only go back with a new start of a server, which ends all connections; so the first
 * connection to such a server shows it, before that connection is used.
 *
 * Nothing is compared and nothing is held before `begin`.
 */
export function createHistoryWatch(options: HistoryWatchOptions): HistoryWatch {
  const state: State = {
    options,
    hasBegun: false,
    known: undefined,
    line: undefined,
    noticed: undefined,
    openGap: undefined,
    reportedGap: undefined,
    looking: undefined,
    timer: undefined,
    isStopped: false,
    findLosses: [],
    reports: [],
    preparations: [],
  }
  return {
    isHeld: () => state.noticed !== undefined || state.openGap !== undefined || state.reportedGap !== undefined,
    begin: () => begin(state),
    meet: async (connection) => {
      if (state.hasBegun) await compare(state, connection)
    },
    hold: (reason) => notice(state, { reason }),
    onNewServer: (findLoss) => void state.findLosses.push(findLoss),
    onGap: (report) => void state.reports.push(report),
    onAccepted: (prepare) => void state.preparations.push(prepare),
    stop: () => {
      state.isStopped = true
      clearTimeout(state.timer)
    },
  }
}

async function begin(state: State): Promise<void> {
  const { db, file, log } = state.options
  const { database_id: databaseId } = await db.selectFrom('history_mark').select('database_id').executeTakeFirstOrThrow()
  state.known = await file.read(databaseId)
  const others = (await file.listDatabases()).filter((id) => id !== databaseId)
  if (!state.known && others.length > 0) {
    log.warn(
      { databaseId, others },
      'DATA_DIR remembers the history of another database and not of this one: nothing is compared',
    )
  }
  state.hasBegun = true
  await compareNow(state)
  await tick(state)
  schedule(state)
}

function schedule(state: State): void {
  if (state.isStopped) return
  state.timer = setTimeout(() => void tick(state).then(() => schedule(state)), untilSharedTick(tickMilliseconds)).unref()
}

function notice(state: State, noticed: Noticed): void {
  if (state.noticed) return
  state.noticed = noticed
  const { log } = state.options
  log.error({ reason: noticed.reason }, 'history went back: nothing is sold or sent until two people run `makola history accept`')
  if (state.hasBegun) void tick(state)
}

/** True when a file remembers this database, and the database knows all that the file does. */
export async function hasWholeHistory(db: Db, file: MarkFile): Promise<boolean> {
  const { database_id: databaseId } = await db.selectFrom('history_mark').select('database_id').executeTakeFirstOrThrow()
  const known = await file.read(databaseId)
  if (!known) return false
  const { rows } = await db.executeQuery<HistoryRow>(CompiledQuery.raw(historyQuery, [known.line]))
  return rows[0] !== undefined && compareMark(known, rows[0]) !== 'behind'
}

/** Compares on any connection of the pool. */
function compareNow(state: State): Promise<void> {
  return state.options.db
    .connection()
    .execute((db) => compare(state, { query: (text, values) => db.executeQuery(CompiledQuery.raw(text, values)) }))
}

async function compare(state: State, connection: NewConnection): Promise<void> {
  // Taken before the database is read: a mark that is moved meanwhile may be younger than what is read.
  const { known } = state
  const { rows } = await connection.query(historyQuery, [known?.line ?? ''])
  const [row] = rows as HistoryRow[]
  if (!row) throw new Error('the table history_mark has lost its row')
  if (known && known.databaseId !== row.databaseId) {
    const reason = `another database answers: ${row.databaseId} in place of ${known.databaseId}`
    return notice(state, { reason, isOtherDatabase: true })
  }
  if (state.noticed?.isOtherDatabase) state.noticed = undefined
  state.openGap = row.openGap ?? undefined
  if (!known) state.line ??= row.line
  else if (!state.noticed) await compareWith(state, known, row, connection)
}

async function compareWith(state: State, known: Mark, row: HistoryRow, connection: NewConnection): Promise<void> {
  const verdict = compareMark(known, row)
  const wentBackTo = row.lineEndAt ?? row.movedAt
  if (verdict === 'accepted') {
    // What this process remembers is a part of the gap. The next move of the mark gives it a new memory.
    if (state.known === known) state.known = undefined
    return
  }
  if (verdict === 'behind') {
    const reason = `the database knows nothing after ${wentBackTo.toISOString()}, but has confirmed commits until ${known.at.toISOString()}`
    return notice(state, { reason, wentBackTo })
  }
  if (row.line === state.line) return
  for (const findLoss of state.findLosses) {
    const reason = await findLoss(connection)
    if (reason !== undefined) return notice(state, { reason, wentBackTo })
  }
  state.line = row.line
}

/** Looks once at a time. After a failure what is held stays held, and the next look tries again. */
function tick(state: State): Promise<void> {
  const { log } = state.options
  state.looking ??= look(state)
    .catch((error: unknown) => log.debug({ err: error }, 'the mark of history could not be moved'))
    .finally(() => {
      state.looking = undefined
    })
  return state.looking
}

async function look(state: State): Promise<void> {
  const { db, file } = state.options
  if (state.noticed?.isOtherDatabase) return compareNow(state)
  const { mark, openGap } = await moveMark(db)
  state.openGap = openGap ?? undefined
  if (state.noticed && state.noticed.gapId === undefined) await writeGap(state, state.noticed)
  if (state.openGap !== undefined) return reportTo(state, state.openGap)
  if (state.reportedGap !== undefined) await endGap(state, state.reportedGap)
  if (state.noticed || !mark) return
  state.known = mark
  state.line ??= mark.line
  await file.write(mark)
}

/** Writes what this process noticed for all the others, with the alarm. */
async function writeGap(state: State, noticed: Noticed): Promise<void> {
  const { db, name, raiseAlarm } = state.options
  const knownUntil = state.known?.at
  const { reason, wentBackTo = knownUntil } = noticed
  const gap = await beginGap(db, { noticedBy: name, reason, wentBackTo, knownUntil })
  state.openGap = gap.id
  await raiseAlarm(db, gap)
  state.noticed = { ...noticed, gapId: gap.id }
}

async function reportTo(state: State, gapId: string): Promise<void> {
  if (state.reportedGap === gapId) return
  const { db } = state.options
  const gap = await findGap(db, gapId)
  if (!gap) return
  for (const report of state.reports) await report(gap)
  state.reportedGap = gapId
}

/** Goes on once people have accepted the gap. When the gap itself is gone, history went back once more. */
async function endGap(state: State, gapId: string): Promise<void> {
  const { db } = state.options
  const gap = await findGap(db, gapId)
  if (!gap?.acceptedAt) {
    const reason = 'a gap that nobody had accepted is gone'
    state.reportedGap = undefined
    return writeGap(state, state.noticed ?? { reason })
  }
  for (const prepare of state.preparations) await prepare()
  state.known = undefined
  state.noticed = undefined
  state.reportedGap = undefined
  state.line = undefined
}
