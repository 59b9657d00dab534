import process from 'node:process'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { personNamed } from '../test/make-account.ts'
import { mustPassAudit } from '../test/must-pass-audit.ts'
import { untilTrue as untilTrueOr } from '../test/patience.ts'
import { type OldShop, openOldShop } from './old-copy.fixture.ts'
import { historyKind } from './orders/history/accept-history.ts'
import { proposeApproval } from './platform/approvals/propose-approval.ts'
import { inTransaction } from './platform/database/in-transaction.ts'
import { loadSecretsKeys } from './platform/secrets/load-secrets-keys.ts'
import { products } from './products/products.ts'
import { stockVouchers } from './products/results-checker/stock-vouchers.fixture.ts'

let shop: OldShop

beforeEach(async () => {
  shop = await openOldShop()
})
afterEach(() => shop.close())

const untilTrue = (isTrue: () => boolean | Promise<boolean>) => untilTrueOr(isTrue, () => 'it never happened')

type Effect = { readonly reference: string }

async function listDelivered(): Promise<string[]> {
  const { effects } = (await (await fetch(`${shop.simulator.url}/effects`)).json()) as { effects: Effect[] }
  return effects.map(({ reference }) => reference)
}

const bundle = (reference: string, recipient: string) => ({ network: 'Telecel', volume_gb: 1, recipient, reference })

async function statusesOf(references: readonly string[]): Promise<string[]> {
  const rows = await shop.db.selectFrom('orders').select('status').where('reference', 'in', references).execute()
  return rows.map(({ status }) => status)
}

async function untilCompleted(references: readonly string[]): Promise<void> {
  await untilTrue(async () => {
    const statuses = await statusesOf(references)
    return statuses.length === references.length && statuses.every((status) => status === 'completed')
  })
}

async function acceptAs(by: string): Promise<string> {
  const gap = await shop.db.selectFrom('history_gaps').select('id').where('accepted_at', 'is', null).executeTakeFirstOrThrow()
  const request = { gapId: gap.id }
  const proposal = { kind: historyKind(products), subject: gap.id, request, key: gap.id, reason: 'test', person: personNamed(by) }
  const { status } = await inTransaction(shop.db, (tx) => proposeApproval(tx, proposal))
  return status
}

test('restarts and crashes of the server under running processes hold nothing and raise no alarm', async () => {
  const api = await shop.startApi()
  const worker = await shop.startWorker()
  const buy = (reference: string) => api.call('POST', '/api/v2/data/purchase', bundle(reference, '0500000099'))
  const placed: string[] = []
  for (let round = 0; round < Number(process.env['HISTORY_RESTARTS'] ?? 4); round += 1) {
    const reference = `restart-${round}`
    await untilTrue(async () => (await buy(reference)).status === 200)
    placed.push(reference)
    if (round % 2 === 0) await shop.stopServer()
    else await shop.killServer()
    await shop.startServer()
  }
  expect(await statusesOf(placed)).toHaveLength(placed.length)
  await api.stop()
  await worker.stop()
  const again = await shop.startApi()
  expect(again.isHeld()).toBe(false)
  await again.stop()
  expect(await shop.db.selectFrom('history_gaps').selectAll().execute()).toEqual([])
  expect(await shop.db.selectFrom('alarms').select('name').where('name', '=', 'history_went_back').execute()).toEqual([])
})

test('after an older copy was put back under running processes nothing is sold or sent, until two people go on, and nothing twice', async () => {
  const secretsKeys = await loadSecretsKeys({ secretsKey: { base64: shop.secretsKey }, databaseUrl: undefined, dataDir: '' })
  const { typeId } = await stockVouchers(shop.db, secretsKeys, 2)
  let api = await shop.startApi()
  const buy = (reference: string, recipient: string) => api.call('POST', '/api/v2/data/purchase', bundle(reference, recipient))
  const before = ['before-1', 'before-2']
  for (const [index, reference] of before.entries()) expect((await buy(reference, `050000000${index}`)).status).toBe(200)
  await api.stop()
  await shop.copy()

  // After the copy was made, both orders are delivered, and two more bundles and a voucher are sold.
  api = await shop.startApi()
  const worker = await shop.startWorker()
  const lost = ['lost-1', 'lost-2']
  const acknowledged = await Promise.all(lost.map((reference, index) => buy(reference, `050000001${index}`)))
  expect(acknowledged).toMatchObject([{ status: 200 }, { status: 200 }])
  const voucher = { typeId, quantity: 1, reference: 'lost-voucher' }
  expect((await api.call('POST', '/api/v2/resultschecker/purchase', voucher)).status).toBe(200)
  await untilCompleted([...before, ...lost])
  expect(await listDelivered()).toHaveLength(4)

  await shop.stopServer()
  await shop.putCopyBack()
  await shop.startServer()

  await untilTrue(() => api.isHeld() && worker.isHeld())
  expect(await buy('after-1', '0500000020')).toMatchObject({ status: 503, reason: 'history_held', retryAfter: '60' })
  expect(await api.call('GET', '/readyz')).toMatchObject({ status: 503, reason: 'history_held' })
  const openAlarms = shop.db.selectFrom('alarms').select('name').where('cleared_at', 'is', null)
  await untilTrue(async () => (await openAlarms.execute()).some(({ name }) => name === 'history_went_back'))
  await untilTrue(async () => (await shop.db.selectFrom('missing_orders').select('order_id').execute()).length === 3)
  const missing = await shop.db.selectFrom('missing_orders').select(['reference', 'price']).orderBy('order_id').execute()
  expect(missing).toEqual([
    { reference: 'lost-1', price: 510 },
    { reference: 'lost-2', price: 510 },
    { reference: 'lost-voucher', price: 1_750 },
  ])
  const open = await shop.db.selectFrom('open_orders').select(['attempt_no', 'lease_no']).execute()
  expect(open).toEqual([
    { attempt_no: null, lease_no: 0 },
    { attempt_no: null, lease_no: 0 },
  ])

  expect(await acceptAs('ama')).toBe('pending')
  expect(api.isHeld()).toBe(true)
  expect(await acceptAs('kofi')).toBe('done')
  await untilTrue(() => !api.isHeld() && !worker.isHeld())
  await untilCompleted(before)
  expect(await listDelivered()).toHaveLength(4)
  await mustPassAudit(shop.db)
  for (const reference of lost) {
    expect(await buy(reference, '0500000010')).toMatchObject({ status: 503, reason: 'outcome_unknown' })
  }
  // Suppliers are asked about what is missing. An order that is placed again as it was is not delivered again.
  await untilTrue(async () => {
    const known = await shop.db.selectFrom('missing_sends').select('order_id').where('answer', '=', 'delivered').execute()
    return new Set(known.map(({ order_id: id }) => id)).size === before.length + lost.length
  })
  await sql`update missing_orders set released_at = now(), released_by = 'test', is_placed_again = true
    where reference = 'lost-1'`.execute(shop.db)
  await untilTrue(async () => (await buy('lost-1', '0500000010')).status === 200)
  const [again] = await shop.db.selectFrom('orders').select(['id', 'price']).where('reference', '=', 'lost-1').execute()
  expect(again).toEqual({ id: acknowledged[0]?.body.data?.['order_id'], price: 510 })
  await untilCompleted(['lost-1'])
  expect(await listDelivered()).toHaveLength(4)
  expect((await buy('lost-1', '0500000011')).status).toBe(409)
  expect((await api.call('POST', '/api/v2/resultschecker/purchase', { ...voucher, reference: 'next' })).status).toBe(404)
  expect((await buy('after-1', '0500000020')).status).toBe(200)
  await untilCompleted(['after-1'])
  const delivered = await listDelivered()
  expect(new Set(delivered).size).toBe(5)
  expect(delivered).toHaveLength(5)
  expect(await openAlarms.where('name', '=', 'history_went_back').execute()).toEqual([])

  // At the next start, the mark in the process's folder also shows that the copy is older.
  await api.stop()
  await worker.stop()
  await shop.stopServer()
  await shop.putCopyBack()
  await shop.startServer()
  api = await shop.startApi()
  expect(api.isHeld()).toBe(true)
  await mustPassAudit(shop.db)
})
