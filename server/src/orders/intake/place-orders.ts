import type { Logger } from 'pino'
import { connectDatabase, type DatabaseOptions } from '../../platform/database/database.ts'
import type { OrderItem, OrderKind } from '../order-kind.ts'
import type { OrderKinds } from './books.ts'
import type { CallOutcome } from './decide-calls.ts'
import { type Lane, openLane } from './lane.ts'
import type { BatchMeasure } from './measure-intake.ts'

export type { CallOutcome, Placement, SkippedItem } from './decide-calls.ts'

/**
 * The only way to place orders, for every product. Each account belongs to one of a few lanes. A lane places, in one
 * transaction, all calls that came during its last batch.
 */
export type Intake = { readonly lanes: readonly Lane[] }

export type IntakeOptions = {
  /** How to reach the database; the intake opens connections of its own, one per lane. */
  database: Pick<DatabaseOptions, 'url' | 'role'>
  kinds: readonly OrderKind[]
  log: Logger
  laneCount?: number
  /** Told of every batch. */
  onBatch?: BatchMeasure
}

/** Two lanes keep the database busy while the other decides; more only wait for each other's disk. */
const laneCountDefault = 2

/**
 * If a wallet stays locked for a second, a person's transaction holds it and not a batch. No statement of a batch takes
 * seconds, and a process that is paused must not keep wallets locked.
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

/** Opens the intake. Close it with `closeIntake`, which places what waits first. */
export function openIntake(options: IntakeOptions): Intake {
  const kinds: OrderKinds = new Map(options.kinds.map((kind) => [kind.name, kind]))
  const lanes = Array.from({ length: options.laneCount ?? laneCountDefault }, (_, laneNo) => {
    const db = connectDatabase({
      ...options.database,
      poolSize: 1,
      applicationName: `makola intake ${laneNo + 1}`,
      session: laneSession,
      queryTimeoutMilliseconds,
      onConnectionError: (error) => options.log.warn({ err: error }, 'a lane of the intake lost its connection'),
    })
    return openLane(db, kinds, options.log, options.onBatch)
  })
  return { lanes }
}

/** Spreads accounts evenly: the last hexadecimal digits of a UUIDv7 are random. */
function laneOf(intake: Intake, accountId: string): Lane {
  const index = Number.parseInt(accountId.slice(-6), 16) % intake.lanes.length
  return intake.lanes[index] as Lane
}

/**
 * Places one order for an account, or several together or not at all. Resolves only after COMMIT has been answered. A
 * refusal means that nothing was placed and no money moved, except the refusal `outcome_unknown`.
 */
export function placeOrders(intake: Intake, accountId: string, items: readonly OrderItem[]): Promise<CallOutcome> {
  return laneOf(intake, accountId).submit({ accountId, items })
}

/** Lets every lane finish what waits, then closes their connections. */
export async function closeIntake(intake: Intake): Promise<void> {
  await Promise.all(intake.lanes.map((lane) => lane.close()))
}
