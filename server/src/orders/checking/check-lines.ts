import Type from 'typebox'
import { commissionTermsOf, splitCommission } from '../../money/commission-terms.ts'
import { ghs, type Pesewas, pesewas } from '../../money/pesewas.ts'
import { readWallet } from '../../money/wallets.ts'
import type { Db } from '../../platform/database/database.ts'
import { Nullable, Omissible, OneOf, Uuid } from '../../platform/http/schemas.ts'
import type { KindDecision } from '../order-kind.ts'
import { orderStatuses } from '../order-life-cycle.ts'
import { findSameOrders, type SameOrder } from './find-same-orders.ts'

/** A check and a purchase take at most this many lines, like a batch over the API. */
export const linesMax = 100

export const lineFields = {
  recipient: Type.String({ maxLength: 60, description: 'The number in whatever way it is written.' }),
  is_repeat_meant: Omissible(
    Type.Boolean({ description: 'True: the same line stands before, or was bought within the hour, and is meant once more.' }),
  ),
}

/** The field about an order that bought the same within the last hour. */
export const sameOrderField = {
  same: Type.Union(
    [
      Type.Object(
        {
          order_id: Uuid(),
          status: OneOf(orderStatuses),
          minutes_ago: Type.Integer({ description: 'How many minutes ago it was placed.' }),
        },
        { title: 'SameOrder' },
      ),
      Type.Null(),
    ],
    {
      description:
        'The latest order of the account that bought the same for this number within the last hour, in this browser or anywhere else. Null: there is none, or its money went back.',
    },
  ),
}

export const viewSameOrder = (same: SameOrder | undefined) =>
  same === undefined ? null : { order_id: same.orderId, status: same.status, minutes_ago: same.minutesAgo }

/** The fields about the wallet that a person sees before confirming a purchase. */
export const walletAfterFields = {
  balance: Type.Number({ description: 'The wallet now, in GHS.' }),
  balance_after: Nullable(Type.Number({ description: 'What would be left, in GHS; null when the wallet is too small.' })),
  missing: Type.Number({ description: 'What the wallet is short of, in GHS; 0 when it is large enough.' }),
  commission: Type.Number({
    description: 'What the purchase earns you when it is delivered, in GHS, if its supplier reports no other commission.',
  }),
}

type RequestedLine = { readonly recipient: string; readonly is_repeat_meant?: boolean }

const lineStates = ['ready', 'waits', 'refused', 'twice', 'bought', 'too_short', 'too_long', 'no_number', 'no_network'] as const

export const CheckedLines = <const Networks extends readonly string[]>(networks: Networks, title: string) =>
  Type.Object(
    {
      lines: Type.Array(
        Type.Object(
          {
            recipient: Type.String({ description: '10 digits starting with 0, or the text that is no number.' }),
            state: OneOf(lineStates, {
              description:
                '`waits`: is bought, and sent when the number is registered. `twice`: the same line stands before. `bought`: the same was bought within the hour, and it is not said that it is meant again. `no_network`: nobody knows which network the number is on.',
            }),
            digits: Type.Integer({ description: 'How many digits the text has.' }),
            network: Type.Unsafe<Networks[number] | null>({
              type: ['string', 'null'],
              enum: [...networks, null],
              description: 'The network that was asked for, or is guessed.',
            }),
            networks: Type.Array(OneOf(networks), { description: 'The networks that the number is on.' }),
            price: Nullable(Type.Number({ description: 'In GHS; null where the line is not bought.' })),
            reason: Nullable(Type.String({ description: 'Why it is refused, as `X-Error-Reason` names it.' })),
            message: Nullable(Type.String({ description: 'The same in words.' })),
            ...sameOrderField,
          },
          { title: `${title}Line` },
        ),
        { description: 'In the order in which they were given.' },
      ),
      ready: Type.Integer({ description: 'Lines that would be bought.' }),
      total: Type.Number({ description: 'What they cost, in GHS.' }),
      ...walletAfterFields,
    },
    { title },
  )

/** A line with a number that can be read, on one network. */
type ReadLine<Line, Network> = { readonly line: Line; readonly number: string; readonly network: Network }

type IndexedLine<Line, Network> = ReadLine<Line, Network> & { readonly index: number }

type LineState = (typeof lineStates)[number]
type LineReading<Network> = { state: LineState; digits: number; number?: string; network: Network | null; networks: Network[] }

/** A readable number with its possible networks, or the problem of the text. */
type ReadNumber<Network> =
  | { readonly number: string; readonly networks: Network[]; readonly digits: number }
  | { readonly fault: 'too_short' | 'too_long' | 'no_number'; readonly digits: number }

type LinesToCheck<Line extends RequestedLine, Network extends string> = {
  readonly lines: readonly Line[]
  readonly read: (text: string) => ReadNumber<Network>
  /** The network that the line names. Undefined: look the network up by the number. */
  readonly networkOf: (line: Line) => Network | undefined
  /** The kind of the orders that the lines become. */
  readonly kind: string
  readonly now: Date
  /** The `variety` of `Goods`. Lines with the same number, network and variety are repeats. */
  readonly varietyOf: (line: Line) => string
  /** Asks the product how a purchase would answer these lines. The answers are in the order of the lines. */
  readonly decide: (good: readonly ReadLine<Line, Network>[]) => Promise<readonly KindDecision[]>
}

function readLines<Line extends RequestedLine, Network extends string>(
  asked: LinesToCheck<Line, Network>,
): LineReading<Network>[] {
  const seen = new Set<string>()
  return asked.lines.map((line) => {
    const network = asked.networkOf(line) ?? null
    const read = asked.read(line.recipient)
    if ('fault' in read) return { state: read.fault, digits: read.digits, network, networks: [] }
    const found = { ...read, network: network ?? read.networks[0] ?? null }
    if (found.network === null) return { ...found, state: 'no_network' }
    const key = JSON.stringify([read.number, found.network, asked.varietyOf(line)])
    const isTwice = seen.has(key) && line.is_repeat_meant !== true
    seen.add(key)
    return { ...found, state: isTwice ? 'twice' : 'ready' }
  })
}

/** Calculates the wallet after a purchase of the accepted orders, and the commission that they earn. */
export async function calculateWalletAfter(db: Db, accountId: string, decisions: readonly KindDecision[]) {
  const accepted = decisions.flatMap((decision) => ('price' in decision ? [decision] : []))
  const { balance } = await readWallet(db, { accountId, purse: 'main' })
  const total = accepted.reduce((sum, { price }) => sum + price, 0)
  const commission = accepted.reduce((sum, { price, details }) => {
    const terms = commissionTermsOf(details)
    return terms ? sum + splitCommission(pesewas(price as number), null, terms).caller : sum
  }, 0)
  return {
    total: ghs(pesewas(total)),
    balance: ghs(pesewas(balance)),
    balance_after: balance < total ? null : ghs(pesewas(balance - total)),
    missing: ghs(pesewas(Math.max(0, total - balance))),
    commission: ghs(pesewas(commission)),
  }
}

function viewDecision(decision: KindDecision): {
  state: LineState
  pricePesewas: Pesewas | null
  reason: string | null
  message: string | null
} {
  if ('refusal' in decision || 'skipped' in decision) {
    const { reason, message } = 'refusal' in decision ? decision.refusal : decision.skipped
    return { state: 'refused', pricePesewas: null, reason, message }
  }
  const state = decision.status === 'queued' ? 'waits' : 'ready'
  return { state, pricePesewas: pesewas(decision.price as number), reason: null, message: null }
}

/** Finds, for each line, an order that bought the same. The keys of the map are the lines' indexes. */
async function findSameOrdersByLine<Line extends RequestedLine, Network extends string>(
  db: Db,
  accountId: string,
  asked: LinesToCheck<Line, Network>,
  good: readonly IndexedLine<Line, Network>[],
): Promise<ReadonlyMap<number, SameOrder>> {
  const goods = good.map(({ line, number, network }) => ({ recipient: number, network, variety: asked.varietyOf(line) }))
  const same = await findSameOrders(db, { accountId, kind: asked.kind, now: asked.now }, goods)
  return new Map(
    good.flatMap(({ index }, place) => {
      const order = same.get(place)
      return order ? [[index, order] as const] : []
    }),
  )
}

/**
 * Checks lines one by one before they are bought: the number, its network, repeats, and then the decision of the purchase
 * itself. Adds up the prices and the commission, and calculates what would be left in the account's wallet.
 */
export async function checkLines<Line extends RequestedLine, Network extends string>(
  deps: { readonly db: Db },
  accountId: string,
  asked: LinesToCheck<Line, Network>,
) {
  const found = readLines(asked)
  const good = found.flatMap(({ state, number, network }, index) => {
    const line = asked.lines[index]
    return state === 'ready' && line && number !== undefined && network !== null ? [{ index, line, number, network }] : []
  })
  const same = await findSameOrdersByLine(deps.db, accountId, asked, good)
  const toDecide = good.filter(({ index, line }) => !same.has(index) || line.is_repeat_meant === true)
  const decisions = await asked.decide(toDecide)
  const decisionAt = new Map(toDecide.map(({ index }, place) => [index, decisions[place]]))
  const lines = found.map(({ number, ...line }, index) => {
    const decision = decisionAt.get(index)
    const decided = decision ? viewDecision(decision) : { pricePesewas: null, reason: null, message: null }
    const state = same.has(index) && !decision ? ('bought' as const) : line.state
    const recipient = number ?? asked.lines[index]?.recipient ?? ''
    return { ...line, state, ...decided, recipient, same: viewSameOrder(same.get(index)) }
  })
  return {
    lines: lines.map(({ pricePesewas, ...line }) => ({ ...line, price: pricePesewas === null ? null : ghs(pricePesewas) })),
    ready: lines.filter(({ pricePesewas }) => pricePesewas !== null).length,
    ...(await calculateWalletAfter(deps.db, accountId, decisions)),
  }
}
