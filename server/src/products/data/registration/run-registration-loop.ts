import { sql } from 'kysely'
import pMap from 'p-map'
import type { Logger } from 'pino'
import { claimQueuedOrders, isQueuedOrderDue, type QueuedOrder } from '../../../orders/schedule/claim-queued-orders.ts'
import { concludeQueuedOrders, type QueuedConclusion } from '../../../orders/settlement/conclude-queued-orders.ts'
import { backOff } from '../../../platform/back-off.ts'
import type { Db } from '../../../platform/database/database.ts'
import { inTransaction } from '../../../platform/database/in-transaction.ts'
import type { SalesStop } from '../../../platform/history/history-watch.ts'
import type { Hints } from '../../../platform/polling/listen-for-hints.ts'
import { openPollPace } from '../../../platform/polling/poll-pace.ts'
import type { AskDue } from '../../../platform/polling/share-polls.ts'
import type { Settings } from '../../../platform/settings/settings.ts'
import { dataKind, readDataDetails } from '../data.kind.ts'
import { dataAutoRefund, queuedDeadlineDays } from '../data.settings.ts'
import { type AskDeps, askServers, submitNumber } from './ask-servers.ts'
import { combineStates, type Registration } from './combine-states.ts'
import { decideQueuedOrder } from './decide-queued-order.ts'
import { needsRegistration } from './needs-registration.ts'
import type { RegistrationServers } from './registration-servers.ts'

export type RegistrationLoopDeps = AskDeps & {
  readonly db: Db
  readonly log: Logger
  readonly settings: Settings
  readonly servers: RegistrationServers
  readonly hints?: Hints | undefined
  readonly askDue?: AskDue
  /** While `isSalesStopped()` is true, no order is checked. */
  readonly history?: SalesStop | undefined
}

export type RegistrationLoop = {
  /** Ends the calls in flight and gives the claimed orders back. */
  stop(): Promise<void>
}

const pollMilliseconds = 500
const backOffMillisecondsMax = 5_000

/**
 * The most orders claimed, and numbers asked about, at once. Even if every server hangs, a round ends well before the leases of
 * its orders.
 */
const ordersMax = 64
const numbersAtOnce = 20

async function askNumber(deps: RegistrationLoopDeps, number: string, signal: AbortSignal): Promise<Registration> {
  const accepted = await deps.servers.listAccepted()
  const states = await askServers(deps, accepted, number, { signal })
  const registration = combineStates(
    states,
    accepted.map(({ server }) => server),
  )
  if (registration !== 'registered') await submitNumber(deps, accepted, number, states, { signal })
  return registration
}

/** Asks about each number once, however many orders wait for it. */
async function askNumbers(
  deps: RegistrationLoopDeps,
  claimed: readonly QueuedOrder[],
  signal: AbortSignal,
): Promise<Map<string, Registration>> {
  const waiting = claimed.filter(({ order }) => needsRegistration(readDataDetails(order).network))
  const numbers = [...new Set(waiting.map(({ order }) => order.recipient))]
  const answers = await pMap(numbers, async (number) => [number, await askNumber(deps, number, signal)] as const, {
    concurrency: numbersAtOnce,
  })
  return new Map(answers)
}

function logConclusions(log: Logger, conclusions: readonly QueuedConclusion[]): void {
  for (const { queued, decision } of conclusions) {
    if (decision.do === 'wait') continue
    const fields = { reference: queued.order.reference, reason: decision.reason }
    if (decision.do === 'release') log.info(fields, 'an order waits for its number no longer')
    else log.warn(fields, 'an order failed because its number was never registered')
  }
}

/**
 * Checks the orders that wait for their number, once: claims the due ones, asks the servers without an open transaction, and
 * commits the decisions.
 * @returns how many orders were claimed
 */
export async function recheckQueuedOrders(deps: RegistrationLoopDeps, signal: AbortSignal): Promise<number> {
  const { rows } = await sql<{ is_due: boolean }>`select ${isQueuedOrderDue} as is_due`.execute(deps.db)
  if (!rows[0]?.is_due) return 0
  const claimed = await inTransaction(deps.db, (tx) => claimQueuedOrders(tx, ordersMax))
  if (claimed.length === 0) return 0
  const registrations = await askNumbers(deps, claimed, signal)
  const deadlineDays = await deps.settings.read(queuedDeadlineDays)
  const conclusions = await Promise.all(
    claimed.map(async (queued) => {
      const registration = registrations.get(queued.order.recipient)
      const isRefunded = await deps.settings.read(dataAutoRefund)
      return { queued, decision: decideQueuedOrder({ ...queued, registration, deadlineDays, isRefunded }) }
    }),
  )
  const concluded = await inTransaction(deps.db, (tx) => concludeQueuedOrders(tx, dataKind, conclusions))
  logConclusions(deps.log, concluded)
  return claimed.length
}

/** Runs `recheckQueuedOrders` until it is stopped. */
export function runRegistrationLoop(deps: RegistrationLoopDeps): RegistrationLoop {
  const stopping = new AbortController()
  const pace = openPollPace(pollMilliseconds, deps.hints, deps.askDue)
  let timer: NodeJS.Timeout | undefined
  let failures = 0
  let round: Promise<void>

  async function runRound(): Promise<void> {
    let claimedCount = 0
    try {
      if (!deps.history?.isSalesStopped() && (await pace.mayFind(isQueuedOrderDue)))
        claimedCount = await recheckQueuedOrders(deps, stopping.signal)
      failures = 0
    } catch (error) {
      failures += 1
      deps.log.warn({ err: error }, 'orders that wait for their number could not be looked at')
    }
    if (stopping.signal.aborted) return
    if (claimedCount > 0) pace.recordWork()
    const rest = claimedCount === ordersMax ? 1 : pace.pauseMilliseconds()
    const pause = failures === 0 ? 0 : backOff(failures, { first: pollMilliseconds, most: backOffMillisecondsMax })
    timer = setTimeout(startRound, Math.max(rest, pause))
  }

  function startRound(): void {
    round = runRound()
  }

  round = runRound()
  return {
    stop: async () => {
      stopping.abort()
      clearTimeout(timer)
      await round
    },
  }
}
