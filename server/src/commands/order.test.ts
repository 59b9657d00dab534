import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { pino } from 'pino'
import { beforeAll, expect, test } from 'vitest'
import { mustPassAudit } from '../../test/must-pass-audit.ts'
import { setUpCommandLine } from '../../test/set-up-command-line.ts'
import { allCommands } from '../all-commands.ts'
import { creditWallet } from '../money/credit-wallet.ts'
import { addRoutes, balanceOf, makeAccount } from '../orders/dispatch/order-bench.fixture.ts'
import { closeIntake, openIntake } from '../orders/intake/open-intake.ts'
import { placeOrders } from '../orders/intake/place-orders.ts'
import { placeTestOrders } from '../orders/intake/place-test-orders.fixture.ts'
import type { OrderKind } from '../orders/order-kind.ts'
import { inTransaction } from '../platform/database/in-transaction.ts'
import { newId } from '../platform/database/new-id.ts'
import { parseSecretsKeys } from '../platform/secrets/secrets-keys.ts'
import { createResultsCheckerKind } from '../products/results-checker/results-checker.kind.ts'
import { stockVouchers } from '../products/results-checker/stock-vouchers.fixture.ts'
import { smsKind } from '../products/sms/sms.kind.ts'
import { encodeText } from '../products/sms/text/encode-text.ts'

const desk = setUpCommandLine(allCommands, { SECRETS_KEY: randomBytes(32).toString('base64') })

let accountId: string

beforeAll(async () => {
  await addRoutes(desk.db, ['stub'])
  accountId = await makeAccount(desk.db, 1_000)
})

// Each test knows the shape of its command's document.
// oxlint-disable-next-line typescript/no-explicit-any
type Ran = { code: number; json: any }

/** The text that a command prints for people. */
async function readText(...words: string[]): Promise<string> {
  const { exitCode, stdout } = await desk.run(...words)
  expect(exitCode).toBe(0)
  return stdout
}

async function makola(...words: string[]): Promise<Ran> {
  const { exitCode, stdout } = await desk.run(...words, '--json')
  return { code: exitCode, json: stdout === '' ? undefined : JSON.parse(stdout) }
}

test('an order can be listed, shown, asked about, and settled by two people, each written to the operator’s log', async () => {
  const [order] = await placeTestOrders(desk.db, accountId, ['0240000000'], { pricePesewas: 500 })
  const { reference } = order!
  expect((await makola('order', 'list', '--status', 'pending')).json.orders).toMatchObject([
    { reference, status: 'pending', price: 5 },
  ])
  expect((await makola('order', 'show', reference)).json.orders).toMatchObject([
    { reference, open: { next_step: 'send', hold_reason: null } },
  ])
  expect((await makola('order', 'ask', reference)).code).toBe(0)
  const settle = ['order', 'settle', reference, '--as', 'failed', '--evidence', 'ticket 4711', '--by']
  const { json: proposed } = await makola(...settle, 'ama')
  expect(proposed).toMatchObject({
    approval_id: expect.any(String) as string,
    status: 'pending',
    orders: [{ status: 'pending', proposals: [{ status: 'pending', proposed_by: 'ama', confirmed_by: null }] }],
  })
  expect((await makola(...settle, 'kofi')).json).toMatchObject({
    approval_id: proposed.approval_id as string,
    status: 'done',
    orders: [{ status: 'refunded', open: null }],
  })
  expect(await balanceOf(desk.db, accountId)).toBe(1_000)
  const log = await desk.db.selectFrom('operator_log').select(['action', 'subject']).orderBy('id').execute()
  expect(log.map(({ action }) => action)).toEqual(['order ask', 'order settle propose', 'order settle confirm'])
  expect(await makola('order', 'ask', reference)).toMatchObject({
    code: 1,
    json: { error: { message: expect.stringContaining('refunded') as string } },
  })
  expect((await makola('order', 'refund', reference)).code).toBe(1)
})

/** A campaign that costs two credits, as the API places it. */
async function sendCampaign(reference: string): Promise<void> {
  const { db } = desk
  const businessId = await makeAccount(db, 1_000)
  await sql`update accounts set is_business = true where id = ${businessId}`.execute(desk.database.ownerDb)
  await inTransaction(db, (tx) => creditWallet(tx, { accountId: businessId, purse: 'sms_credits', amount: 10, actor: 'test' }))
  const message = 'Your parcel is here.'
  const text = encodeText(message, 'standard')
  const recipients = ['233241234567', '233241234568']
  const words = { source: 'api', sender: 'Makola', message, segmentRule: 'standard', text }
  const campaign = { ...words, recipients, leftOut: [], scheduledAt: null }
  const request = { campaign, isSenderNamed: true, refusalIfNew: undefined }
  const kinds = [smsKind as OrderKind]
  const intake = openIntake({ database: { url: desk.database.applicationUrl }, kinds, log: pino({ level: 'silent' }) })
  const item = { orderId: newId(), accountId: businessId, kind: 'sms', reference, fingerprint: '00', request }
  const outcome = await placeOrders(intake, businessId, [item])
  await closeIntake(intake)
  expect(outcome).toMatchObject({ balance: 8 })
}

test('a campaign is listed and shown at its price in credits, and a bundle at its price in GHS', async () => {
  await sendCampaign('campaign/1')
  const [bundle] = await placeTestOrders(desk.db, await makeAccount(desk.db, 500), ['0240000000'])
  const { orders } = (await makola('order', 'list')).json
  expect(orders.find((order: { reference: string }) => order.reference === 'campaign/1')).toMatchObject({
    price: 2,
    unit: 'credits',
  })
  expect(orders.find((order: { reference: string }) => order.reference === bundle!.reference)).toMatchObject({
    price: 5,
    unit: 'GHS',
  })
  expect((await makola('order', 'show', 'campaign/1')).json.orders).toMatchObject([{ price: 2, unit: 'credits' }])
  expect((await makola('order', 'show', bundle!.reference)).json.orders).toMatchObject([{ price: 5, unit: 'GHS' }])
  const list = await readText('order', 'list')
  expect(list).toMatch(/sms +233241234567 +2 SMS credits +pending +\(loop\/sms\) +campaign\/1$/m)
  expect(list).toMatch(new RegExp(`data +0240000000 +GHS 5.00 +pending +\\(stub/data/MTN\\) +${bundle!.reference}$`, 'm'))
  expect(await readText('order', 'show', 'campaign/1')).toMatch(
    /^campaign\/1 {2}sms {2}pending {2}2 SMS credits {2}to 233241234567/,
  )
  expect(await readText('order', 'show', bundle!.reference)).toContain('  data  pending  GHS 5.00  to 0240000000')
})

/** A purchase of two vouchers for GHS 35, as the API places it. */
async function buyVouchers(reference: string): Promise<void> {
  const keys = parseSecretsKeys(randomBytes(32).toString('base64'), 'test')
  const { typeId } = await stockVouchers(desk.db, keys, 2)
  const request = { typeId, quantity: 2, recipientPhone: undefined, recipientEmail: undefined, refusalIfNew: undefined }
  const intake = openIntake({
    database: { url: desk.database.applicationUrl },
    kinds: [createResultsCheckerKind(keys)],
    log: pino({ level: 'silent' }),
  })
  const item = { orderId: newId(), accountId, kind: 'results_checker', reference, fingerprint: '00', request }
  const outcome = await placeOrders(intake, accountId, [item])
  await closeIntake(intake)
  expect(outcome).toMatchObject({ charged: 3_500 })
}

test('F5: a purchase of vouchers is taken back by two people, once, each written to the operator’s log', async () => {
  accountId = await makeAccount(desk.db, 4_000)
  await buyVouchers('vouchers/1')
  const takeBack = (by: string) => makola('order', 'take-back', 'vouchers/1', '--evidence', ' the PINs are refused ', '--by', by)
  const refused = (what: string) => ({ code: 1, json: { error: { message: expect.stringContaining(what) as string } } })
  const settle = ['order', 'settle', 'vouchers/1', '--as', 'failed', '--evidence', 'e', '--by', 'ama']
  expect(await makola(...settle)).toMatchObject(refused('`makola order take-back`'))
  expect(await makola('order', 'refund', 'vouchers/1')).toMatchObject(refused('`makola order take-back`'))
  for (const by of ['ama', 'AMA']) {
    expect(await takeBack(by)).toMatchObject({
      code: 0,
      json: { orders: [{ status: 'completed', proposals: [{ evidence: 'the PINs are refused', confirmed_by: null }] }] },
    })
  }
  expect(await takeBack('kofi')).toMatchObject({
    code: 0,
    json: {
      orders: [
        {
          status: 'refunded',
          price: 35,
          events: [{ from: 'completed', to: 'refunded', actor: 'ama and kofi' }],
          proposals: [{ outcome: 'refunded', status: 'done', proposed_by: 'ama', confirmed_by: 'kofi' }],
        },
      ],
    },
  })
  expect(await takeBack('esi')).toMatchObject(refused('is refunded already'))
  expect(await balanceOf(desk.db, accountId)).toBe(4_000)
  const log = await desk.db.selectFrom('operator_log').select(['actor', 'action']).where('subject', '=', 'vouchers/1').execute()
  expect(log.map(({ actor, action }) => `${actor}: ${action}`)).toEqual([
    'ama: order take-back propose',
    'kofi: order take-back confirm',
  ])
  await mustPassAudit(desk.db)
})

test('S12: an ended order is made good by two people with an amount, and its status stays', async () => {
  accountId = await makeAccount(desk.db, 1_000)
  const [order] = await placeTestOrders(desk.db, accountId, ['0240000000'], { pricePesewas: 500 })
  const { reference } = order!
  const adjust = (amount: string, by: string) =>
    makola('order', 'adjust', reference, '--amount', amount, '--evidence', 'ticket 4712', '--by', by)
  expect(await adjust('1.00', 'ama')).toMatchObject({
    code: 1,
    json: { error: { message: expect.stringContaining('it has not ended') as string } },
  })
  const settle = ['order', 'settle', reference, '--as', 'failed', '--evidence', 'ticket 4711', '--by']
  for (const by of ['ama', 'kofi']) await makola(...settle, by)
  for (const amount of ['0', '0.00', '1.005', 'much', '']) expect((await adjust(amount, 'ama')).code).toBe(2)
  expect((await adjust('-4.50', 'ama')).json.orders).toMatchObject([
    {
      status: 'refunded',
      proposals: [
        { outcome: 'failed', amount: null },
        { outcome: 'adjusted', amount: -4.5, confirmed_by: null },
      ],
    },
  ])
  expect((await adjust('-4.50', 'kofi')).json.orders).toMatchObject([
    { status: 'refunded', proposals: [{}, { confirmed_by: 'kofi' }] },
  ])
  expect(await balanceOf(desk.db, accountId)).toBe(550)
  await mustPassAudit(desk.db)
})

test('orders of other kinds cannot be taken back, and the command says what there is instead', async () => {
  const [order] = await placeTestOrders(desk.db, accountId, ['0240000000'], { pricePesewas: 500 })
  const takeBack = ['order', 'take-back', order!.reference, '--evidence', 'e', '--by', 'ama']
  expect(await makola(...takeBack)).toMatchObject({
    code: 1,
    json: { error: { message: expect.stringContaining('cannot be taken back') as string } },
  })
  expect((await makola('order', 'take-back', 'nobody/knows', '--evidence', 'e', '--by', 'ama')).code).toBe(1)
  expect((await makola('order', 'take-back', order!.reference, '--evidence', ' ', '--by', 'ama')).code).toBe(2)
  expect((await makola('order', 'take-back', order!.reference, '--by', 'ama')).code).toBe(2)
  expect((await makola('order', 'take-back', order!.reference, '--evidence', 'e')).code).toBe(2)
})

test('an unknown reference fails, a wrong outcome is wrong usage', async () => {
  expect((await makola('order', 'show', 'nobody/knows %ɛ')).code).toBe(1)
  expect((await makola('order', 'settle', 'x', '--as', 'perhaps', '--evidence', 'e', '--by', 'ama')).code).toBe(2)
})
