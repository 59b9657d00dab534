import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, type ExpectStatic, it } from 'vitest'
import { makeAccount } from '../../../test/make-account.ts'
import { mustPassAudit } from '../../../test/must-pass-audit.ts'
import { retryWhileBusy } from '../../../test/retry-while-busy.ts'
import { createTestDatabase, type TestDatabase } from '../../../test/test-database.ts'
import { pesewas } from '../../money/pesewas.ts'
import { lockWallets, readWallet } from '../../money/wallets.ts'
import { newId } from '../../platform/database/new-id.ts'
import { refusals } from '../../platform/http/refusals.ts'
import type { OrderItem, OrderKind } from '../order-kind.ts'
import { closeIntake, openIntake } from './open-intake.ts'
import { type CallOutcome, placeOrders } from './place-orders.ts'

/** A product with only the required fields: every item costs one cedi. */
const plainKind: OrderKind<undefined, undefined> = {
  name: 'data',
  unit: 'pesewas',
  insufficientFunds: refusals.insufficientFunds,
  fromMemory: { suffices: () => true, read: () => undefined },
  read: () => Promise.resolve(undefined),
  decide: () => ({
    status: 'pending',
    price: pesewas(100),
    recipient: '0240000000',
    route: 'nobody/data/MTN',
    details: {},
  }),
  fork: (read) => read,
  take: () => undefined,
  write: () => Promise.resolve(),
}

/** The longest time that a caller waits, as the documents promise. */
const secondsMax = 10
const tickMilliseconds = 50

/** Longer than the intake waits for the answer to a COMMIT before it looks for the orders. */
const lostAfterMilliseconds = 4_500

let database: TestDatabase

/**
 * The order's reference chooses what happens to its COMMIT. A COMMIT waits while a test holds the lock with the
 * reference's name. A reference that begins with `warned` is committed with the warning that PostgreSQL gives when a
 * wait for a standby was cancelled.
 */
beforeAll(async () => {
  database = await createTestDatabase()
  await sql`create function meet_commit() returns trigger language plpgsql security definer set lock_timeout = 0 as $$
    begin
      perform pg_advisory_xact_lock_shared(hashtext(new.reference));
      if new.reference like 'warned%' then
        raise warning 'canceling wait for synchronous replication due to user request';
      end if;
      return null;
    end $$`.execute(database.ownerDb)
  await sql`create constraint trigger meet_commit after insert on orders deferrable initially deferred
    for each row execute function meet_commit()`.execute(database.ownerDb)
})
afterAll(() => database.drop())

const wish = (accountId: string, reference: string): OrderItem => ({
  orderId: newId(),
  accountId,
  kind: 'data',
  reference,
  fingerprint: Buffer.from(reference).toString('hex'),
  request: undefined,
})

type Told = { readonly answer: string; readonly isReplay: boolean | undefined; readonly seconds: number }

/**
 * Measures seconds from now on, without those in which this process stood still: on a busy machine, a timer that is due at
 * nine seconds may fire after ten.
 */
function startWatch(): () => number {
  const startedAt = performance.now()
  let tickedAt = startedAt
  let stoodStill = 0
  const tick = () => {
    const now = performance.now()
    stoodStill += Math.max(0, now - tickedAt - 2 * tickMilliseconds)
    tickedAt = now
  }
  const timer = setInterval(tick, tickMilliseconds).unref()
  return () => {
    clearInterval(timer)
    tick()
    return (tickedAt - startedAt - stoodStill) / 1_000
  }
}

const isBusy = (outcome: CallOutcome) => 'refusal' in outcome && outcome.refusal === refusals.overloaded

/**
 * Buys one order through an intake of its own.
 * @param onTold called once the caller is answered; `buy` waits for its promise
 */
async function buy(accountId: string, reference: string, onTold?: () => Promise<unknown>): Promise<Told> {
  const intake = openIntake({ database: { url: database.applicationUrl }, kinds: [plainKind], log: pino({ level: 'silent' }) })
  let seconds = Number.NaN
  const outcome = await retryWhileBusy(async () => {
    const watch = startWatch()
    const answer = await placeOrders(intake, accountId, [wish(accountId, reference)])
    seconds = watch()
    return answer
  }, isBusy)
  await Promise.all([closeIntake(intake), onTold?.()])
  if ('refusal' in outcome) return { answer: outcome.refusal.reason, isReplay: undefined, seconds }
  return { answer: 'placed', isReplay: outcome.placements[0]?.isReplay, seconds }
}

/** Makes the COMMIT of an order wait until the promise of `until` has resolved. */
async function holdCommit(reference: string, until: () => Promise<unknown>): Promise<{ readonly isOver: Promise<unknown> }> {
  const held = Promise.withResolvers<void>()
  const isOver = database.ownerDb.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtext(${reference}))`.execute(tx)
    held.resolve()
    await until()
  })
  await held.promise
  return { isOver }
}

/** Buys one order whose COMMIT waits until the caller has been answered. */
async function buyHeld(accountId: string, reference: string): Promise<Told> {
  const isTold = Promise.withResolvers<void>()
  const { isOver } = await holdCommit(reference, () => isTold.promise)
  return buy(accountId, reference, () => {
    isTold.resolve()
    return isOver
  })
}

const balanceOf = async (accountId: string) => (await readWallet(database.db, { accountId, purse: 'main' })).balance
const open = () => makeAccount(database.db, { balancePesewas: 1_000 })

/** Resolves once the COMMIT of an order waits for its lock. */
async function untilCommitWaits(expect: ExpectStatic, reference: string): Promise<void> {
  await expect
    .poll(async () => {
      const { rows } = await sql`select from pg_locks where locktype = 'advisory' and not granted
        and database = (select oid from pg_database where datname = current_database())
        and objid = (hashtext(${reference})::bigint & 4294967295)::oid`.execute(database.ownerDb)
      return rows.length
    })
    .toBe(1)
}

/** Resolves once a session waits for a row that a transaction which has not ended has locked. */
async function untilWalletIsWanted(expect: ExpectStatic): Promise<void> {
  await expect
    .poll(async () => {
      const { rows } = await sql`select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and wait_event = 'transactionid'`.execute(
        database.ownerDb,
      )
      return rows.length
    })
    .toBeGreaterThan(0)
}

describe.concurrent('a COMMIT that nobody answers in time', () => {
  it('is never called "nothing was charged": the caller is told within ten seconds that it could not be learnt', async ({
    expect,
  }) => {
    const { accountId } = await open()
    const told = await buyHeld(accountId, 'held for long')
    expect(told).toMatchObject({ answer: 'outcome_unknown' })
    expect(told.seconds).toBeLessThan(secondsMax)
    // The order was committed, and a retry with the same reference finds it.
    await expect.poll(() => balanceOf(accountId)).toBe(900)
    expect(await buy(accountId, 'held for long')).toMatchObject({ answer: 'placed', isReplay: true })
    expect(await balanceOf(accountId)).toBe(900)
  })

  it('is found by the ids of its orders when it ends in time: the caller gets its order and pays once', async ({ expect }) => {
    const { accountId } = await open()
    const { isOver } = await holdCommit('held for a while', async () => {
      await untilCommitWaits(expect, 'held for a while')
      await sleep(lostAfterMilliseconds)
    })
    expect(await buy(accountId, 'held for a while', () => isOver)).toMatchObject({ answer: 'placed', isReplay: false })
    expect(await balanceOf(accountId)).toBe(900)
  })

  it('leaves other calls as they are: those that were in no COMMIT hear that nothing was charged, and it is true', async ({
    expect,
  }) => {
    const [first, second] = await Promise.all([open(), open()])
    const intake = openIntake({
      database: { url: database.applicationUrl },
      kinds: [plainKind],
      log: pino({ level: 'silent' }),
    })
    const areTold = Promise.withResolvers<void>()
    const { isOver } = await holdCommit('held in a queue', () => areTold.promise)
    const watch = startWatch()
    const held = retryWhileBusy(() => placeOrders(intake, first.accountId, [wish(first.accountId, 'held in a queue')]), isBusy)
    await untilCommitWaits(expect, 'held in a queue')
    // These calls wait while a batch with their account is under way, and then for its wallet, so that they never get into a
    // commit.
    const behind = Array.from({ length: 3 }, (_, no) =>
      placeOrders(intake, first.accountId, [wish(first.accountId, `behind ${no}`)]),
    )
    const later = placeOrders(intake, second.accountId, [wish(second.accountId, 'beside')])
    const outcomes = await Promise.all([held, ...behind, later])
    const seconds = watch()
    areTold.resolve()
    await isOver
    expect(seconds).toBeLessThan(secondsMax)
    await closeIntake(intake)
    const told = outcomes.map((outcome) => ('refusal' in outcome ? outcome.refusal.reason : 'placed'))
    expect(told[0]).toBe('outcome_unknown')
    const references = ['behind 0', 'behind 1', 'behind 2', 'beside']
    const rows = await database.db.selectFrom('orders').select('reference').where('reference', 'in', references).execute()
    const placed = references.filter((_, no) => told[no + 1] === 'placed')
    expect(rows.map(({ reference }) => reference).toSorted()).toEqual(placed)
    expect(new Set(told.slice(1))).not.toContain('outcome_unknown')
  })
})

describe.concurrent('a COMMIT that is answered with a warning', () => {
  it('is acknowledged by the order once a transaction that was committed without a warning has found it', async ({ expect }) => {
    const { accountId } = await open()
    expect(await buy(accountId, 'warned')).toMatchObject({ answer: 'placed', isReplay: false })
    expect(await balanceOf(accountId)).toBe(900)
    await mustPassAudit(database.db)
  })

  it('is not acknowledged by itself: what cannot be looked up in ten seconds is unknown, though the order is there', async ({
    expect,
  }) => {
    const { accountId } = await open()
    const isWalletWanted = Promise.withResolvers<void>()
    const { isOver } = await holdCommit('warned and held', () => isWalletWanted.promise)
    const buying = buy(accountId, 'warned and held', () => isOver)
    await untilCommitWaits(expect, 'warned and held')
    // This transaction waits for the wallet, gets its lock right after that COMMIT, and keeps it until the caller has
    // been answered.
    const keeping = database.db.transaction().execute(async (tx) => {
      await lockWallets(tx, [{ accountId, purse: 'main' }])
      await buying
    })
    await untilWalletIsWanted(expect)
    isWalletWanted.resolve()
    const told = await buying
    await keeping
    expect(told).toMatchObject({ answer: 'outcome_unknown' })
    expect(told.seconds).toBeLessThan(secondsMax)
    expect(await buy(accountId, 'warned and held')).toMatchObject({ answer: 'placed', isReplay: true })
    expect(await balanceOf(accountId)).toBe(900)
  })
})
