import type { ClientBase } from 'pg'
import type { Logger } from 'pino'
import { connectDatabase, type DatabaseOptions } from '../../platform/database/database.ts'
import type { OrderKind } from '../order-kind.ts'
import { type BatchMeasure, callQueueConnections, openCallQueue } from './call-queue.ts'
import type { Intake, IntakeHistory, KeyFingerprint, OrderKinds } from './place-orders.ts'

export type IntakeOptions = {
  database: Pick<DatabaseOptions, 'url' | 'role'>
  kinds: readonly OrderKind[]
  log: Logger
  onBatch?: BatchMeasure
  /** Left out: a repeat of an order whose recipient was forgotten is refused, as if it were another request. */
  keyFingerprint?: KeyFingerprint
  /** Left out: the intake does not check whether history went back. */
  history?: IntakeHistory | undefined
}

/**
 * Limits for the connections that place orders. A batch locks wallets without waiting, so `lock_timeout` is for references and
 * stocks. The other two free the locks of a process that hangs.
 */
const queueSession = {
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
  const { log, onBatch, keyFingerprint, history } = options
  const db = connectDatabase({
    ...options.database,
    poolSize: callQueueConnections,
    isKeptOpen: true,
    applicationName: 'makola intake',
    session: queueSession,
    queryTimeoutMilliseconds,
    onConnectionError: (error) => log.warn({ err: error }, 'the intake lost a connection'),
    ...(history && {
      onConnect: (client: ClientBase) => history.compareConnection(client),
      isHeld: () => history.isSalesStopped(),
    }),
  })
  const onLostEntries = history && ((reason: string) => history.stopSales(reason))
  return { queue: openCallQueue({ db, kinds, log, onBatch, onLostEntries }), keyFingerprint, history }
}

export async function closeIntake(intake: Intake): Promise<void> {
  await intake.queue.close()
}
