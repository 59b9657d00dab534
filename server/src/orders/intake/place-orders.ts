import type { Logger } from 'pino'
import { connectDatabase, type DatabaseOptions } from '../../platform/database/database.ts'
import type { OrderItem, OrderKind } from '../order-kind.ts'
import type { KeyFingerprint, OrderKinds } from './books.ts'
import type { CallOutcome } from './decide-calls.ts'
import { type Lane, laneConnections, openLane } from './lane.ts'
import type { BatchMeasure } from './measure-intake.ts'

export type { CallOutcome, Placement, SkippedItem } from './decide-calls.ts'

/** The only way to place orders, for every product. */
export type Intake = { readonly lane: Lane; readonly keyFingerprint?: KeyFingerprint | undefined }

export type IntakeOptions = {
  database: Pick<DatabaseOptions, 'url' | 'role'>
  kinds: readonly OrderKind[]
  log: Logger
  onBatch?: BatchMeasure
  /** Left out: no order was forgotten. */
  keyFingerprint?: KeyFingerprint
}

/**
 * A reference or a stock that stays locked for a second means that something hangs. No statement of a batch takes seconds,
 * and a paused process must not keep wallets locked. Nobody waits for a wallet.
 */
const laneSession = {
  lock_timeout: '1s',
  statement_timeout: '5s',
  idle_in_transaction_session_timeout: '5s',
}

/**
 * If the database does not answer within this time, the answer counts as lost. One such wait and a new connection leave
 * enough time to look for the orders before the callers must be answered.
 */
const queryTimeoutMilliseconds = 4_000

/** Close the intake with `closeIntake`, which first places the waiting calls. */
export function openIntake(options: IntakeOptions): Intake {
  const kinds: OrderKinds = new Map(options.kinds.map((kind) => [kind.name, kind]))
  const db = connectDatabase({
    ...options.database,
    poolSize: laneConnections,
    isKeptOpen: true,
    applicationName: 'makola intake',
    session: laneSession,
    queryTimeoutMilliseconds,
    onConnectionError: (error) => options.log.warn({ err: error }, 'the intake lost a connection'),
  })
  const { log, onBatch, keyFingerprint } = options
  return { lane: openLane({ db, kinds, log, onBatch }), keyFingerprint }
}

/**
 * Places one order for an account, or several together or not at all. Returns orders only after their COMMIT has been
 * answered. A refusal means that nothing was placed and no money moved, except the refusal `outcome_unknown`.
 */
export function placeOrders(intake: Intake, accountId: string, items: readonly OrderItem[]): Promise<CallOutcome> {
  return intake.lane.submit({ accountId, items, keyFingerprint: intake.keyFingerprint })
}

/** Places the waiting calls, then closes the connections. */
export async function closeIntake(intake: Intake): Promise<void> {
  await intake.lane.close()
}
