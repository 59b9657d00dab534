import type { Logger } from 'pino'
import type { Db } from '../database/database.ts'
import { alignToSharedTick } from '../polling/poll-pace.ts'
import { beginGap, findGap, findLastGap, type Gap } from './gaps.ts'
import { compareMark, connectionOf, type HistoryRow, type Mark, moveMark, type NewConnection, readHistory } from './mark.ts'
import type { MarkFile } from './mark-file.ts'

/** Checks a new connection for all that this process knows to be committed. @returns what is lost, if any */
export type FindLoss = (connection: NewConnection) => Promise<string | undefined>

/** `isSalesStopped`: true while nothing may be sold or sent. */
export type SalesStop = { isSalesStopped(): boolean }

export type HistoryWatch = SalesStop & {
  /** Compares the database with an earlier process's file, and begins to move the mark. Call it before anything is served. */
  begin(): Promise<void>
  /** Compares the database of a new connection with what this process remembers, before the connection is handed out. */
  compareConnection(connection: NewConnection): Promise<void>
  /** Stops all sales and sending at once, because other code has found a proof that history went back. */
  stopSales(reason: string): void
  /** Registers one more comparison. It is made on the first connection after the database's server was changed or restarted. */
  onNewServer(findLoss: FindLoss): void
  /** Registers work of this process for each gap: it records what this process knows to be missing. */
  onGap(report: (gap: Gap) => Promise<void>): void
  /** Registers work for the moment at which people have accepted a gap, before anything is sold or sent again. */
  onAccepted(prepare: () => Promise<void>): void
  /** Moves the mark and looks for a gap now. This also happens every second. */
  checkNow(): Promise<void>
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

type Loss = {
  readonly reason: string
  readonly wentBackTo?: Date | undefined
  /** True while the address leads to another database. */
  readonly isOtherDatabase?: true
  /** True: the proof is not a comparison, so it cannot be repeated. */
  readonly isFinal?: true
  /** The gap that was written about it. */
  readonly gapId?: string
}

type State = {
  readonly options: HistoryWatchOptions
  hasBegun: boolean
  known: Mark | undefined
  /** The server that was compared last. */
  line: string | undefined
  /** The loss that this process itself has found. */
  noticed: Loss | undefined
  openGap: string | undefined
  /** True: people have accepted a gap while this process did not reach the database. It has yet to add what it knows. */
  isCatchUpDue: boolean
  isFileFailing: boolean
  /** The gap to which this process has added what it knows. The process goes on only after the `preparations`. */
  reportedGap: string | undefined
  runningCheck: Promise<void> | undefined
  timer: NodeJS.Timeout | undefined
  isStopped: boolean
  readonly findLosses: FindLoss[]
  readonly reports: ((gap: Gap) => Promise<void>)[]
  readonly preparations: (() => Promise<void>)[]
}

/**
 * Notices when the database's history goes back, which means that committed data is missing. About once a second it moves the
 * mark and remembers it, in memory and in a file. History can only go back when the database's server is restarted or another
 * server takes its place, and both end all connections. So the first connection afterwards shows the loss, before it is used.
 *
 * Nothing is compared before `begin`.
 */
export function createHistoryWatch(options: HistoryWatchOptions): HistoryWatch {
  const state: State = {
    options,
    hasBegun: false,
    known: undefined,
    line: undefined,
    noticed: undefined,
    openGap: undefined,
    isCatchUpDue: false,
    isFileFailing: false,
    reportedGap: undefined,
    runningCheck: undefined,
    timer: undefined,
    isStopped: false,
    findLosses: [],
    reports: [],
    preparations: [],
  }
  return {
    isSalesStopped: () =>
      state.noticed !== undefined || state.openGap !== undefined || state.reportedGap !== undefined || state.isCatchUpDue,
    begin: () => begin(state),
    compareConnection: async (connection) => {
      if (state.hasBegun) await compare(state, connection)
    },
    stopSales: (reason) => notice(state, { reason, isFinal: true }),
    onNewServer: (findLoss) => void state.findLosses.push(findLoss),
    onGap: (report) => void state.reports.push(report),
    onAccepted: (prepare) => void state.preparations.push(prepare),
    checkNow: () => tick(state),
    stop: () => {
      state.isStopped = true
      clearTimeout(state.timer)
    },
  }
}

async function begin(state: State): Promise<void> {
  const { db, file, log } = state.options
  await file.removeRemains()
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
  state.timer = setTimeout(() => void tick(state).then(() => schedule(state)), alignToSharedTick(tickMilliseconds)).unref()
}

function notice(state: State, noticed: Loss): void {
  if (state.noticed) return
  state.noticed = noticed
  const { log } = state.options
  log.error({ reason: noticed.reason }, 'history seems to have gone back: nothing is sold or sent')
  if (state.hasBegun) void tick(state)
}

/** Compares the database with what this process remembers, on any connection of the pool. */
function compareNow(state: State): Promise<void> {
  return state.options.db.connection().execute((one) => compare(state, connectionOf(one)))
}

async function compare(state: State, connection: NewConnection): Promise<void> {
  // Taken before the database is read: a mark that is moved meanwhile may be younger than what is read.
  const { known } = state
  const row = await readHistory(connection, known)
  if (known && known.databaseId !== row.databaseId) {
    const reason = `another database answers: ${row.databaseId} in place of ${known.databaseId}`
    return notice(state, { reason, isOtherDatabase: true })
  }
  if (state.noticed?.isOtherDatabase) state.noticed = undefined
  state.openGap = row.openGap ?? undefined
  if (!known) {
    state.line ??= row.line
    return
  }
  if (compareMark(known, row) === 'accepted') {
    if (state.known === known && state.reportedGap === undefined) beginCatchUp(state)
    return
  }
  if (state.noticed) return
  const found = await findProof(state, known, row, connection)
  if (found) notice(state, found)
}

/** Forgets the mark that this process remembers, because it belongs to an accepted gap. The next mark is remembered again. */
function beginCatchUp(state: State): void {
  state.noticed = undefined
  state.known = undefined
  state.isCatchUpDue = true
}

/** Finds what this process remembers and the connection's database does not have. Undefined: nothing is missing. */
async function findProof(state: State, known: Mark, row: HistoryRow, connection: NewConnection): Promise<Loss | undefined> {
  const wentBackTo = row.lineEndAt ?? row.movedAt
  if (compareMark(known, row) === 'behind') {
    const reason = `the database knows nothing after ${wentBackTo.toISOString()}, but has confirmed commits until ${known.at.toISOString()}`
    return { reason, wentBackTo }
  }
  if (row.line === state.line) return undefined
  for (const findLoss of state.findLosses) {
    const reason = await findLoss(connection)
    if (reason !== undefined) return { reason, wentBackTo }
  }
  state.line = row.line
  return undefined
}

/** Runs one look at a time. After a failure, what is held stays held, and the next look tries again. */
function tick(state: State): Promise<void> {
  const { log } = state.options
  state.runningCheck ??= checkHistory(state)
    .catch((error: unknown) => log.debug({ err: error }, 'the mark of history could not be moved'))
    .finally(() => {
      state.runningCheck = undefined
    })
  return state.runningCheck
}

async function checkHistory(state: State): Promise<void> {
  const { db } = state.options
  if (state.noticed?.isOtherDatabase) return compareNow(state)
  if (state.noticed && state.noticed.gapId === undefined) await writeGap(state, state.noticed)
  const { mark, openGap } = await moveMark(db)
  state.openGap = openGap ?? undefined
  if (state.openGap !== undefined) return reportTo(state, state.openGap)
  if (state.isCatchUpDue) await catchUp(state)
  if (state.reportedGap !== undefined) await endGap(state, state.reportedGap)
  if (state.noticed || !mark) return
  state.known = mark
  state.line ??= mark.line
  await saveMark(state, mark)
}

/** Writes the mark to the file. Without the file, only this process's memory shows that history went back. */
async function saveMark(state: State, mark: Mark): Promise<void> {
  const { file, log } = state.options
  try {
    await file.write(mark)
    state.isFileFailing = false
  } catch (error) {
    if (!state.isFileFailing)
      log.warn({ err: error }, 'DATA_DIR cannot be written: after a restart nobody sees if history went back')
    state.isFileFailing = true
  }
}

/**
 * Compares once more and writes the gap, both on one connection, and then raises the alarm. The loss may have been found on a
 * former leader, which lacks what the present one has.
 */
async function writeGap(state: State, noticed: Loss): Promise<void> {
  const { db, name, raiseAlarm, log } = state.options
  const { known } = state
  const gap = await db.connection().execute(async (one) => {
    const row = await readHistory(connectionOf(one), known)
    const found = known && compareMark(known, row)
    if (found === 'other') throw new Error('another database answers')
    if (found === 'accepted') return beginCatchUp(state)
    if (known && !noticed.isFinal && !(await findProof(state, known, row, connectionOf(one)))) {
      log.warn({ reason: noticed.reason }, 'the present server of the database knows all: history did not go back')
      state.noticed = undefined
      return undefined
    }
    const { reason, wentBackTo = known?.at } = noticed
    return beginGap(one, { noticedBy: name, reason, wentBackTo, knownUntil: known?.at })
  })
  if (!gap) return
  state.openGap = gap.id
  await raiseAlarm(db, gap)
  state.noticed = { ...noticed, gapId: gap.id }
}

/** Adds what this process knows to a gap that was accepted without it. */
async function catchUp(state: State): Promise<void> {
  const gap = await findLastGap(state.options.db)
  if (gap) await reportTo(state, gap.id)
  state.isCatchUpDue = false
}

async function reportTo(state: State, gapId: string): Promise<void> {
  if (state.reportedGap === gapId) return
  const { db } = state.options
  const gap = await findGap(db, gapId)
  if (!gap) return
  for (const report of state.reports) await report(gap)
  state.reportedGap = gapId
}

/** Lets the process go on once people have accepted the gap. If the gap's own row is missing, history went back once more. */
async function endGap(state: State, gapId: string): Promise<void> {
  const { db } = state.options
  const gap = await findGap(db, gapId)
  if (!gap?.acceptedAt) {
    const reason = 'a gap that nobody had accepted is gone'
    state.reportedGap = undefined
    return writeGap(state, { ...(state.noticed ?? { reason }), isFinal: true })
  }
  for (const prepare of state.preparations) await prepare()
  state.known = undefined
  state.noticed = undefined
  state.reportedGap = undefined
  state.line = undefined
}
