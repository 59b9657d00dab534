import type { Installation } from '../installation.ts'

type Settled = {
  reference: string
  kind: string
  status: string
  price: number
  /** The biller of a bill, else the network. */
  service: string | null
  /** Such as `pending>processing`, in the order they happened. */
  moves: string[]
  refunds: number[]
  commissions: number[]
  was_delivered: boolean
  /** True: the stored answers prove the failure. */
  has_failed: boolean
}

/** Two answers "unpaid" of the simulator prove a failure when they lie this many seconds apart. */
const unfulfilledProofSeconds = 5

async function readSettled(installation: Installation): Promise<Settled[]> {
  // Counts the rows for PostgreSQL's planner. A server that is killed again and again never does so, and would plan for nearly
  // empty tables.
  await installation.query('analyze')
  return installation.query<Settled>(
    `select reference, kind, status, price::float8 as price, coalesce(details ->> 'biller', details ->> 'network') as service,
       array(select from_status || '>' || to_status from order_events where order_id = orders.id order by event_no) as moves,
       array(select amount::float8 from transfers where cause_id = orders.id and kind = 'refund' and to_purse = 'main') as refunds,
       array(select amount::float8 from transfers
         where cause_id = orders.id and kind = 'commission' and to_purse = 'commission') as commissions,
       coalesce(said.was_delivered, false) as was_delivered, coalesce(said.has_failed, false) as has_failed
     from orders
     left join lateral (
       select bool_or(answer = 'delivered') as was_delivered,
         bool_or(answer = 'failed')
         or bool_or(answer in ('rejected_recipient', 'rejected_request') and source = 'send')
         or count(*) filter (where answer = 'never_received' and source = 'status') >= 2
         or max(said.created_at) filter (where answer = 'unfulfilled') - min(said.created_at) filter (where answer = 'unfulfilled')
           >= make_interval(secs => $1) as has_failed
       from attempt_answers as said where said.order_id = orders.id
     ) as said on true`,
    [unfulfilledProofSeconds],
  )
}

/** The demo supplier's commission for a service, in basis points of the face value. Bundles have none. */
const commissionBasisPoints: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  airtime: { MTN: 300, Telecel: 350, AT: 400 },
  utilities: { ecg: 125, ghana_water: 125, dstv: 150, gotv: 150, startimes: 175 },
}

/** The demo's lifetime agents get half of the commission. Commission and share are both rounded down. */
function commissionOf({ kind, service, price }: Settled): number {
  const rate = commissionBasisPoints[kind]?.[service ?? ''] ?? 0
  return Math.floor(Math.floor((price * rate) / 10_000) / 2)
}

const movesTo: Readonly<Record<string, readonly string[]>> = {
  queued: ['pending', 'failed'],
  pending: ['processing', 'failed'],
  processing: ['completed', 'failed'],
  failed: ['refunded'],
  completed: [],
  refunded: [],
}

/** Returns whether all moves of an order are legal and form one chain. */
function isLegalHistory({ moves, status }: Settled): boolean {
  const steps = moves.map((move) => move.split('>') as [string, string])
  const isChain = steps.every(([from], no) => no === 0 || steps[no - 1]?.[1] === from)
  const isLegal = steps.every(([from, to]) => from === '' || movesTo[from]?.includes(to))
  return isChain && isLegal && (steps.at(-1)?.[1] ?? status) === status
}

const areJust = (amounts: readonly number[], wanted: number) =>
  wanted === 0 ? amounts.length === 0 : amounts.length === 1 && amounts[0] === wanted

function breachesOf(order: Settled): string[] {
  const { reference, status, price, refunds, commissions, moves } = order
  const what = `${reference} (${status})`
  const commission = status === 'completed' ? commissionOf(order) : 0
  const found: string[] = []
  if (!isLegalHistory(order)) found.push(`${what} came there by ${moves.join(', ')}`)
  if (!areJust(refunds, status === 'refunded' ? price : 0))
    found.push(`${what} of ${price} was paid back ${JSON.stringify(refunds)}`)
  if (!areJust(commissions, commission)) found.push(`${what} earned ${JSON.stringify(commissions)} and not ${commission}`)
  if (status === 'failed') found.push(`${what} was never refunded`)
  if (status === 'completed' && !order.was_delivered) found.push(`${what} without proof of delivery`)
  if (status === 'refunded' && !order.has_failed) found.push(`${what} without proof that it had failed`)
  return found
}

/**
 * Checks every order's history and money: only legal moves and none after the end, one refund for a failed order, one
 * commission for a completed order of a lifetime agent, and neither without proof. Calculates the commission from the demo's
 * rates.
 * @returns the breaches, in words
 */
export async function findSettlementBreaches(installation: Installation): Promise<string[]> {
  return (await readSettled(installation)).flatMap(breachesOf)
}
