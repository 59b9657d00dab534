import { sql } from 'kysely'
import type { Logger } from 'pino'
import { formatGhs, type Pesewas, pesewas } from '../../money/pesewas.ts'
import { makeTopUp } from '../../money/top-ups/make-top-up.ts'
import type { Gateways } from '../../money/top-ups/payment-gateway.ts'
import { topUpRefusals } from '../../money/top-ups/top-ups.refusals.ts'
import { readTopUpTerms, type TopUpTerms } from '../../money/top-ups/top-ups.settings.ts'
import { lockWallets } from '../../money/wallets.ts'
import type { Db, Tx } from '../../platform/database/database.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { newId } from '../../platform/database/new-id.ts'
import type { Timer } from '../../platform/housekeeping/run-timers.ts'
import { type Refusal, RefusalError } from '../../platform/http/refusals.ts'
import type { Settings } from '../../platform/settings/settings.ts'
import { notifyAccounts } from '../notices/notify-accounts.ts'

/** After the payer declined or ignored the request of a floor, the account gets no other request of a floor for this time. */
export const floorRestHours = 3
/** When the payment could not be requested on the phone, the worker tries again after this time. */
const againMinutes = 10
/** One round handles at most this many accounts. */
const roundMax = 20

export type FloorDeps = {
  readonly db: Db
  readonly settings: Settings
  readonly gateways: Gateways
  readonly log: Pick<Logger, 'warn'>
}

type FallenFloor = { account_id: string; floor: number; amount: number; phone: string; chosen_by: string; balance: number }

/**
 * Lists the floors that are above the balance of their active account and whose phone may be asked now: of the account's
 * top-ups of the last three days none is open and none by the floor failed lately, no try to ask has just failed, and today's
 * maximum of requests is not reached.
 */
async function listFallen(db: Db, only: string | undefined): Promise<readonly FallenFloor[]> {
  const { rows } = await sql<FallenFloor>`
    select choice.account_id, choice.floor, choice.amount, choice.phone, choice.chosen_by, wallets.balance
    from balance_floors as choice
    join wallets on wallets.account_id = choice.account_id and wallets.purse = 'main'
    join accounts on accounts.id = choice.account_id and accounts.status = 'active'
    cross join lateral (
      select coalesce(bool_or(state in ('pending', 'waiting') or (state = 'held' and is_by_floor)), false) as is_any_open,
        coalesce(bool_or(is_by_floor and state in ('failed', 'expired')
          and ended_at > clock_timestamp() - make_interval(hours => ${floorRestHours})), false) as is_at_rest,
        count(*) filter (where is_by_floor
          and created_at >= date_trunc('day', clock_timestamp(), 'Africa/Accra')) as asked_today
      from top_ups
      where top_ups.account_id = choice.account_id and top_ups.id >= first_id_at(clock_timestamp() - interval '3 days')
    ) as lately
    where wallets.balance < choice.floor and not lately.is_any_open and not lately.is_at_rest
      and lately.asked_today < choice.most_per_day
      and (choice.tried_at is null or choice.tried_at < clock_timestamp() - make_interval(mins => ${againMinutes}))
      and (${only ?? null}::uuid is null or choice.account_id = ${only ?? null}::uuid)
    order by choice.tried_at nulls first limit ${roundMax}`.execute(db)
  return rows
}

/**
 * Begins the top-up of a floor. It checks all conditions again under the wallet's lock, which every new top-up takes.
 * @returns its id; undefined when the phone may not be asked any more
 * @throws RefusalError as `makeTopUp`
 */
async function createFloorTopUp(tx: Tx, accountId: string, way: string, terms: TopUpTerms): Promise<string | undefined> {
  await lockWallets(tx, [{ accountId, purse: 'main' }])
  const [fallen] = await listFallen(tx, accountId)
  if (!fallen) return undefined
  const amount = pesewas(fallen.amount)
  const { fee } = terms.quote(amount)
  const request = { accountId, way, payerPhone: fallen.phone, amount, fee, madeBy: fallen.chosen_by, isByFloor: true }
  const { topUpId } = await makeTopUp(tx, { ...request, pageReference: `floor-${newId()}` }, terms)
  return topUpId
}

const factOf = ({ balance, floor }: FallenFloor) =>
  `Your main wallet holds ${formatGhs(pesewas(balance))}, less than the ${formatGhs(pesewas(floor))} that you chose.`

async function notifyOfRequest(db: Db, fallen: FallenFloor, topUpId: string, charged: Pesewas): Promise<void> {
  const asked = `The phone ending in ${fallen.phone.slice(-3)} is asked for ${formatGhs(charged)}.`
  await inTransaction(db, (tx) =>
    notifyAccounts(tx, [
      {
        accountId: fallen.account_id,
        kind: 'floor_asked',
        about: topUpId,
        subject: `Your phone is asked for ${formatGhs(charged)}`,
        text: `${factOf(fallen)} ${asked}\n\nWhat to do: approve it on the phone with the PIN. If you decline, it is not asked again for ${floorRestHours} hours. An owner changes this or switches it off under Top up.`,
        sms: `${asked} Your balance is ${formatGhs(pesewas(fallen.balance))}.`,
      },
    ]),
  )
}

/** Notifies the account, at most once a day, and delays the worker's next try. */
async function recordFailure(db: Db, fallen: FallenFloor, reason: Refusal): Promise<void> {
  await inTransaction(db, async (tx) => {
    await sql`update balance_floors set tried_at = clock_timestamp() where account_id = ${fallen.account_id}`.execute(tx)
    await notifyAccounts(tx, [
      {
        accountId: fallen.account_id,
        kind: 'floor_not_asked',
        about: new Date().toISOString().slice(0, 10),
        subject: 'Your phone could not be asked for a top-up',
        text: `${factOf(fallen)} Your phone could not be asked for ${formatGhs(pesewas(fallen.amount))}: ${reason.message}\n\nWhat to do: top up yourself, or change what you chose under Top up. It is tried again later.`,
        sms: `Your balance is ${formatGhs(pesewas(fallen.balance))}, and your phone could not be asked for a top-up. Please top up.`,
      },
    ])
  })
}

async function requestFloorTopUp({ db, gateways }: FloorDeps, fallen: FallenFloor, terms: TopUpTerms): Promise<void> {
  const way = (await gateways.offer()).find(({ kind }) => kind === 'prompt')
  if (!way) return recordFailure(db, fallen, topUpRefusals.wayClosed)
  try {
    const topUpId = await inTransaction(db, (tx) => createFloorTopUp(tx, fallen.account_id, way.name, terms))
    if (topUpId === undefined) return
    // The top-up is committed before the call to the gateway, and no transaction is open during the call.
    const isAsked = await gateways.open(topUpId, { email: fallen.chosen_by, isAgain: false })
    if (isAsked) await notifyOfRequest(db, fallen, topUpId, terms.quote(pesewas(fallen.amount)).charged)
    else await recordFailure(db, fallen, topUpRefusals.notAsked)
  } catch (error) {
    if (!(error instanceof RefusalError)) throw error
    await recordFailure(db, fallen, error.refusal)
  }
}

/** Asks by phone for a top-up where a balance fell below its floor. Each one works like a top-up that a person begins. */
export async function requestFloorTopUps(deps: FloorDeps): Promise<void> {
  const fallen = await listFallen(deps.db, undefined)
  if (fallen.length === 0) return
  const terms = await readTopUpTerms(deps.settings)
  for (const each of fallen) {
    await requestFloorTopUp(deps, each, terms).catch((error: unknown) => {
      deps.log.warn({ err: error, account: each.account_id }, 'the phone of a balance floor could not be asked')
    })
  }
}

export const floorTimer = (deps: FloorDeps): Timer => ({
  name: 'balance floors',
  everySeconds: 30,
  isExclusive: true,
  isDue: sql`exists (select from balance_floors)`,
  run: () => requestFloorTopUps(deps),
})
