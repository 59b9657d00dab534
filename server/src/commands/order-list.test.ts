import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { makeAccount } from '../../test/make-account.ts'
import { setUpCommandLine } from '../../test/set-up-command-line.ts'
import { allCommands } from '../all-commands.ts'
import { creditWallet } from '../money/credit-wallet.ts'
import { placeTestOrders } from '../orders/intake/place-test-orders.fixture.ts'
import type { OrderStatus } from '../orders/order-life-cycle.ts'
import { findOrderReport } from '../orders/order-reports/order-report.ts'
import { reportOrder } from '../orders/order-reports/report-order.ts'
import { packEvidence } from '../orders/packed-evidence.ts'
import { writeMoves } from '../orders/settlement/move-orders.ts'
import { inTransaction } from '../platform/database/in-transaction.ts'
import { newId } from '../platform/database/new-id.ts'

const desk = setUpCommandLine(allCommands)
const { run, json } = desk

type Listed = { order_id: string; reference: string; created_at: string } & Record<string, unknown>

const list = async (...words: string[]) => (await json('order', 'list', ...words)) as { orders: Listed[]; next: string | null }
const idsOf = async (...words: string[]) => (await list(...words)).orders.map((order) => order.order_id)

/** Newest first, as they are listed. */
let placed: Record<'telecel' | 'bill' | 'airtime' | 'campaign' | 'refunded' | 'bundle', string>
let kofi: string
let kofiMail: string

async function place(accountId: string, recipient: string, product: string, details: Record<string, unknown>): Promise<string> {
  const [order] = await placeTestOrders(desk.db, accountId, [recipient], { product, details, supplier: 'datamart' })
  return order!.orderId
}

/** Writes an attempt as the worker would. */
async function giveTo(orderId: string, supplier: string, attemptNo: number, cost: { expected?: number; reported?: number } = {}) {
  const outcome = 'delivered'
  const attempt = {
    order_id: orderId,
    attempt_no: attemptNo,
    supplier,
    outgoing_reference: newId(),
    send_before: new Date(),
    outcome,
  }
  await desk.db
    .insertInto('attempts')
    .values({ ...attempt, expected_cost: cost.expected ?? null })
    .execute()
  if (cost.reported === undefined) return
  const answer = {
    order_id: orderId,
    attempt_no: attemptNo,
    source: 'send',
    answer: outcome,
    evidence: packEvidence('ok'),
    reported_cost: cost.reported,
  } as const
  await desk.db
    .insertInto('attempt_answers')
    .values({ ...answer, supplier_reference: 'THEIRS-1', reported_commission: null, account_name: null })
    .execute()
}

async function end(orderId: string, ...way: OrderStatus[]): Promise<void> {
  await inTransaction(desk.db, async (tx) => {
    let from: OrderStatus = 'pending'
    for (const to of way) {
      await writeMoves(tx, { from, to, actor: 'test' }, [{ orderId, reason: null }])
      from = to
    }
    await tx.deleteFrom('open_orders').where('order_id', '=', orderId).execute()
  })
}

beforeAll(async () => {
  const { db } = desk
  const ama = (await makeAccount(db, { balancePesewas: 100_000 })).accountId
  kofi = (await makeAccount(db, { balancePesewas: 100_000 })).accountId
  await inTransaction(db, (tx) => creditWallet(tx, { accountId: ama, purse: 'sms_credits', amount: 10, actor: 'test' }))
  kofiMail = (await db.selectFrom('accounts').select('email').where('id', '=', kofi).executeTakeFirstOrThrow()).email
  const bundle = await place(ama, '0241234567', 'data', { network: 'MTN', size: '1GB' })
  const refunded = await place(ama, '0241234567', 'data', { network: 'MTN', size: '2GB' })
  const campaign = await place(ama, '233241234567', 'sms', { sender: 'AMA' })
  const airtime = await place(kofi, '0501234567', 'airtime', { network: 'MTN' })
  const bill = await place(kofi, '7012345678', 'utilities', { biller: 'dstv' })
  const telecel = await place(ama, '=0201234567', 'data', { network: 'Telecel', size: '1GB' })
  placed = { telecel, bill, airtime, campaign, refunded, bundle }
  await giveTo(bundle, 'datakazina', 1)
  await giveTo(bundle, 'datamart', 2, { expected: 400, reported: 390 })
  await end(bundle, 'processing', 'completed')
  await giveTo(refunded, 'datakazina', 1, { expected: 380 })
  await end(refunded, 'processing', 'failed', 'refunded')
  await giveTo(airtime, 'hubtel', 1, { expected: 500 })
  await end(airtime, 'processing', 'completed')
  await end(bill, 'failed')
  await sql`insert into contradictions (id, order_id, status, evidence)
    values (${newId()}, ${refunded}, 'refunded', 'delivered after all')`.execute(db)
  await sql`update open_orders set hold_reason = 'cannot_ask' where order_id = ${telecel}`.execute(db)
})

describe('makola order list', () => {
  it('has the newest order first, with its account, its supplier and its cost', async () => {
    const { orders, next } = await list()
    expect(orders.map(({ order_id }) => order_id)).toEqual(Object.values(placed))
    expect(next).toBeNull()
    expect(orders.at(-1)).toMatchObject({
      kind: 'data',
      network: 'MTN',
      status: 'completed',
      recipient: '0241234567',
      price: 5,
      unit: 'GHS',
      supplier: 'datamart',
      cost: 3.9,
      cost_is_estimate: false,
      route: null,
    })
    expect(orders[2]).toMatchObject({ account: kofiMail, account_id: kofi, supplier: 'hubtel', cost: 5, cost_is_estimate: true })
    // A refunded order has no cost, and an order that was not sent has no supplier.
    expect(orders[4]).toMatchObject({ status: 'refunded', supplier: 'datakazina', cost: null, cost_is_estimate: false })
    expect(orders[1]).toMatchObject({ status: 'failed', network: 'dstv', supplier: null, cost: null })
  })

  it.each(['0241234567', '024 123 4567', '+233 24-123-4567', '233241234567'])(
    'finds the orders to a number written %s, however they hold it',
    async (number) => {
      const { campaign, refunded, bundle } = placed
      expect(await idsOf('--recipient', number)).toEqual([campaign, refunded, bundle])
    },
  )

  it.each<[string[], (keyof typeof placed)[]]>([
    [['--recipient', '7012345678'], ['bill']],
    [
      ['--product', 'data'],
      ['telecel', 'refunded', 'bundle'],
    ],
    [
      ['--network', 'mtn'],
      ['airtime', 'refunded', 'bundle'],
    ],
    [['--network', 'dstv'], ['bill']],
    [['--product', 'airtime', '--network', 'MTN'], ['airtime']],
    [['--product', 'airtime', '--network', 'Telecel'], []],
    [
      ['--supplier', 'DataKazina'],
      ['refunded', 'bundle'],
    ],
    [['--supplier', 'datakazina', '--status', 'refunded'], ['refunded']],
    [
      ['--status', 'pending'],
      ['telecel', 'campaign'],
    ],
    [['--status', 'failed'], ['bill']],
    [['--status', 'refunded'], ['refunded']],
    [['--status', 'completed', '--product', 'data'], ['bundle']],
    [['--stuck'], ['telecel']],
    [['--stuck', '--network', 'MTN'], []],
    [['--held'], ['telecel']],
    [['--contradicted'], ['refunded']],
    [['--reference', 'THEIRS-1'], ['bundle']],
    [['--reference', 'nothing has it'], []],
  ])('with %j lists those orders alone', async (words, names) => {
    expect(await idsOf(...words)).toEqual(names.map((name) => placed[name]))
  })

  it('lists what one account ordered, by its e-mail or id, and refuses one that is not there', async () => {
    const { bill, airtime } = placed
    expect(await idsOf('--account', kofiMail.toUpperCase())).toEqual([bill, airtime])
    expect(await idsOf('--account', kofi, '--product', 'airtime')).toEqual([airtime])
    expect(await run('order', 'list', '--account', 'nobody@example.test')).toMatchObject({ exitCode: 1, stdout: '' })
  })

  it('of a period has the orders whose time lies in it, to the millisecond', async () => {
    const { orders } = await list()
    const at = orders[2]?.created_at ?? ''
    const of = (wanted: (createdAt: string) => boolean) =>
      orders.filter(({ created_at }) => wanted(created_at)).map(({ order_id }) => order_id)
    expect(await idsOf('--from', at)).toEqual(of((createdAt) => createdAt >= at))
    expect(await idsOf('--to', at)).toEqual(of((createdAt) => createdAt <= at))
    expect(await idsOf('--from', at.slice(0, 10), '--to', at.slice(0, 10))).toEqual(
      of((createdAt) => createdAt.startsWith(at.slice(0, 10))),
    )
    expect(await idsOf('--from', '2099-01-01')).toEqual([])
  })

  it('goes on where the page before ended', async () => {
    const seen: string[] = []
    let after: string[] = []
    for (;;) {
      const { orders, next } = await list('--limit', '2', ...after)
      seen.push(...orders.map(({ order_id }) => order_id))
      if (next === null) break
      after = ['--after', next]
    }
    expect(seen).toEqual(Object.values(placed))
    const { next } = await list('--product', 'data', '--limit', '1')
    expect(await idsOf('--product', 'data', '--after', String(next))).toEqual([placed.refunded, placed.bundle])
  })

  it('shows people a table, the route of what is not sent yet, an estimate with a mark, and how to go on', async () => {
    const { stdout } = await run('order', 'list', '--limit', '3')
    const [head = '', ...rows] = stdout.trimEnd().split('\n')
    expect(head).toMatch(/^time +account +product +recipient +price +status +supplier +cost +reference$/)
    expect(rows[0]).toMatch(/pending \(cannot_ask\) +\(datamart\/data\/MTN\)/)
    expect(rows[2]).toContain(`~GHS 5.00`)
    expect(rows[3]).toBe(`There are more: --after ${placed.airtime}`)
  })

  it.each([
    [['--recipient', ''], '--recipient must have'],
    [['--recipient', 'a\nb'], '--recipient must have'],
    [['--product', 'cars'], '--product must be one of data, airtime'],
    [['--status', 'lost'], 'Allowed choices are queued'],
    [['--from', '31 May'], '--from must be a date'],
    [['--from', '2027-02-01', '--to', '2027-01-01'], '--from must not be after --to'],
    [['--limit', '0'], '--limit must be a whole number from 1 to 1000'],
    [['--limit', '1001'], '--limit must be a whole number from 1 to 1000'],
    [['--after', 'here'], '--after must be the `next`'],
  ])('says in one line that %j is wrong, and ends with 2', async (words, message) => {
    const { exitCode, stdout, stderr } = await run('order', 'list', ...words)
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
    expect(stderr).toContain(message)
    expect(stderr.trimEnd().split('\n')).toHaveLength(1)
  })

  it.each([
    ['--network', 'Glo', 'there are AT'],
    ['--supplier', 'nobody', 'datamart'],
  ])('refuses %s %s, which this installation does not know, and names the others', async (option, name, others) => {
    const { exitCode, stderr } = await run('order', 'list', option, name)
    expect(exitCode).toBe(1)
    expect(stderr).toContain(others)
  })
})

describe('makola order list --csv', () => {
  it('writes every order to a file of its own, guarded against formulas', async () => {
    const file = join(desk.folder, 'orders.csv')
    expect(await json('order', 'list', '--csv', file)).toEqual({ exported: 6, file })
    const [head, ...rows] = (await readFile(file, 'utf8')).trimEnd().split('\r\n')
    expect(head).toBe(
      'time,order_id,reference,account,product,network,variety,recipient,price,unit,status,supplier,cost,cost_is_estimate',
    )
    expect(rows.map((row) => row.split(',')[1])).toEqual(Object.values(placed))
    expect(rows[0]).toContain(",'=0201234567,5.00,GHS,pending,,,")
    expect(rows[5]).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,.*,0241234567,5\.00,GHS,completed,datamart,3\.90,false$/)
    expect(rows[3]).toContain(',500,credits,')
    expect((await stat(file)).mode & 0o077).toBe(0)
  })

  it('takes filters and a limit, and never writes over a file', async () => {
    const file = join(desk.folder, 'data.csv')
    expect(await json('order', 'list', '--product', 'data', '--limit', '2', '--csv', file)).toMatchObject({ exported: 2 })
    await writeFile(file, 'mine')
    expect(await run('order', 'list', '--csv', file)).toMatchObject({ exitCode: 1, stdout: '' })
    expect(await readFile(file, 'utf8')).toBe('mine')
  })

  it('leaves no file behind when it fails', async () => {
    const file = join(desk.folder, 'failed.csv')
    expect((await run('order', 'list', '--network', 'Glo', '--csv', file)).exitCode).toBe(1)
    await expect(stat(file)).rejects.toThrow('ENOENT')
  })
})

describe('makola order answer-report', () => {
  it('keeps the answer and what was found, once', async () => {
    const { bundle: orderId } = placed
    const order = { id: orderId, accountId: kofi, status: 'completed' as const }
    await reportOrder(desk.db, order, { reason: 'nothing came', actor: 'kofi' })
    const words = ['order', 'answer-report', orderId, '--answer', 'it did', '--found', 'delivered']
    expect(await json(...words)).toMatchObject({ order_id: orderId, answer: 'it did', found: 'delivered' })
    expect(await findOrderReport(desk.db, orderId)).toMatchObject({ answer: 'it did', found: 'delivered' })
    expect((await run(...words)).exitCode).toBe(1)
    const lines = await desk.db.selectFrom('operator_log').select('id').where('action', '=', 'order answer-report').execute()
    expect(lines).toHaveLength(1)
  })
})
