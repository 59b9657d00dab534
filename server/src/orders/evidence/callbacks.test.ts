import { createHmac } from 'node:crypto'
import fastify, { type FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/test-database.ts'
import { newId } from '../../platform/database/new-id.ts'
import { receiveCallbacks } from '../../platform/http/read-requests.ts'
import { parseSecretsKeys } from '../../platform/secrets/secrets-keys.ts'
import { callbackUrl, isCallbackAddress } from '../../suppliers/callback-address.ts'
import { simulatedTimes } from '../../suppliers/calling/supplier-times.ts'
import { datamart } from '../../suppliers/datamart/talk.ts'
import { hubtel } from '../../suppliers/hubtel/talk.ts'
import type { OrderStatus } from '../order-life-cycle.ts'
import { outgoingReference } from '../outgoing-reference.ts'
import { registerCallbacks } from './callbacks.ts'

const webhookSecret = 'simulated-datamart-secret'
const supplier = datamart.open({
  name: 'datamart',
  baseUrl: 'http://127.0.0.1:9',
  credentials: { apiKey: 'simulated-datamart-key', webhookSecret },
  settings: {},
  slots: 1,
  requestsPerSecond: null,
  times: simulatedTimes,
  callbackUrl: () => '',
  isSimulated: true,
})

const secretsKeys = parseSecretsKeys(Buffer.alloc(32, 7).toString('base64'), 'test')
const config = { publicUrl: 'https://makola.test' }
const addressed = hubtel.open({
  name: 'hubtel',
  baseUrl: 'http://127.0.0.1:9',
  credentials: { apiId: 'simulated-hubtel-id', apiKey: 'simulated-hubtel-key' },
  settings: { prepaidDepositId: '1', posSalesId: '2' },
  slots: 1,
  requestsPerSecond: null,
  times: simulatedTimes,
  callbackUrl: (reference) => callbackUrl({ config, secretsKeys }, 'hubtel', reference),
  isSimulated: true,
})

let database: TestDatabase
let app: FastifyInstance
const logged: unknown[] = []
const held: string[] = []

beforeAll(async () => {
  database = await createTestDatabase()
  const registry = { find: (name: string) => [supplier, addressed].find((each) => each.name === name) }
  const log = pino({ level: 'error' }, { write: (line: string) => logged.push(line) })
  app = fastify()
  app.register(
    async (scope) => {
      receiveCallbacks(scope, 64 * 1024)
      registerCallbacks(scope, {
        db: database.db,
        registry,
        secretsKeys,
        log,
        history: { stopSales: (reason) => held.push(reason) },
      })
    },
    { prefix: '/callbacks' },
  )
})
beforeEach(async () => {
  await database.ownerDb.deleteFrom('open_orders').execute()
})
afterAll(async () => {
  await app.close()
  await Promise.all([supplier.close(), addressed.close()])
  await database.drop()
})

/** Makes an order with one attempt, as a worker would leave it. If it is open, its next step is in an hour. */
async function makeAttempt(status: OrderStatus, outcome: string | null, supplierName = 'datamart', orderId = newId()) {
  const accountId = newId()
  const reference = `order ${orderId}`
  const outgoingReference = orderId.replaceAll('-', '')
  const db = database.ownerDb
  await db
    .insertInto('orders')
    .values({
      id: orderId,
      account_id: accountId,
      kind: 'data',
      reference,
      status,
      price: 100,
      recipient: '0241234567',
      details: '{}',
    })
    .execute()
  await db
    .insertInto('attempts')
    .values({
      order_id: orderId,
      attempt_no: 1,
      supplier: supplierName,
      outgoing_reference: outgoingReference,
      send_before: new Date(),
      outcome,
      supplier_reference: null,
      answered_at: null,
    })
    .execute()
  if (status === 'processing') {
    const nextStepAt = new Date(Date.now() + 3_600_000)
    await db
      .insertInto('open_orders')
      .values({
        order_id: orderId,
        route: 'datamart/data/MTN',
        next_step_at: nextStepAt,
        attempt_no: 1,
        hold_reason: null,
      })
      .execute()
  }
  return { orderId, reference, outgoingReference }
}

function sign(body: string | Buffer): string {
  return createHmac('sha256', webhookSecret).update(body).digest('hex')
}

async function post(body: string | Buffer, headers: Record<string, string> = {}, path = '/callbacks/datamart') {
  const signed = { 'content-type': 'application/json', 'x-datamart-signature': sign(body), ...headers }
  const response = await app.inject({ method: 'POST', url: path, headers: signed, payload: body })
  return response.statusCode
}

function tell(ref: string, orderStatus: string) {
  return JSON.stringify({ event: `order.${orderStatus}`, data: { ref, orderReference: 'DM-00000001', orderStatus } })
}

async function isDue(orderId: string): Promise<boolean> {
  const { rows } = await sql<{ due: boolean }>`
    select next_step_at <= clock_timestamp() as due from open_orders where order_id = ${orderId}`.execute(database.db)
  return rows[0]?.due === true
}

const answersOf = (orderId: string) =>
  database.db.selectFrom('attempt_answers').select(['source', 'answer']).where('order_id', '=', orderId).execute()
const contradictionsOf = (orderId: string) =>
  database.db.selectFrom('contradictions').select('status').where('order_id', '=', orderId).execute()

describe('a callback of a supplier', () => {
  it('makes the order’s status be asked at once and decides nothing itself', async () => {
    const attempt = await makeAttempt('processing', 'accepted')
    expect(await post(tell(attempt.outgoingReference, 'completed'))).toBe(200)
    expect(await isDue(attempt.orderId)).toBe(true)
    expect(await answersOf(attempt.orderId)).toEqual([{ source: 'callback', answer: 'delivered' }])
    const order = await database.db
      .selectFrom('orders')
      .select('status')
      .where('id', '=', attempt.orderId)
      .executeTakeFirstOrThrow()
    expect(order.status).toBe('processing')
  })

  it('has no effect without a valid signature', async () => {
    const attempt = await makeAttempt('processing', null)
    const body = tell(attempt.outgoingReference, 'completed')
    const forgeries = [
      { 'x-datamart-signature': sign(`${body} `) },
      { 'x-datamart-signature': '' },
      { 'x-datamart-signature': sign(body).slice(0, 40) },
      { 'x-datamart-signature': createHmac('sha256', 'another secret').update(body).digest('hex') },
      { 'x-datamart-signature': 'é'.repeat(64) },
    ]
    for (const headers of forgeries) expect(await post(body, headers)).toBe(401)
    expect(await post(Buffer.from(body), { 'x-datamart-signature': sign(body.replace('completed', 'failed')) })).toBe(401)
    expect(await isDue(attempt.orderId)).toBe(false)
    expect(await answersOf(attempt.orderId)).toEqual([])
  })

  it('is answered 200 however often it comes, and kept once', async () => {
    const attempt = await makeAttempt('processing', null)
    const body = tell(attempt.outgoingReference, 'failed')
    expect(await Promise.all([post(body), post(body)])).toEqual([200, 200])
    expect(await post(body)).toBe(200)
    expect(await answersOf(attempt.orderId)).toEqual([{ source: 'callback', answer: 'failed' }])
  })

  it('is answered 503 while its order is not there yet, and 200 once it is', async () => {
    const orderId = newId()
    const reference = orderId.replaceAll('-', '')
    expect(await post(tell(reference, 'completed'))).toBe(503)
    await makeAttempt('processing', null, 'datamart', orderId)
    expect(await post(tell(reference, 'completed'))).toBe(200)
  })

  it('about an attempt of ours that no row knows holds everything; what strangers and nonsense name does not', async () => {
    const { orderId } = await makeAttempt('processing', 'rejected_request')
    const ours = outgoingReference(orderId, 'datamart', 2)
    const old = await makeAttempt('completed', 'delivered')
    await database.ownerDb
      .updateTable('orders')
      .set({ created_at: new Date(0) })
      .where('id', '=', old.orderId)
      .execute()
    const others = [
      outgoingReference(old.orderId, 'datamart', 1),
      outgoingReference(newId(), 'datamart', 2),
      outgoingReference(orderId, 'hubtel', 2),
      `${ours.slice(0, -1)}!`,
      'x',
    ]
    for (const reference of others) await post(tell(reference, 'completed'))
    await post(tell(ours, 'completed'), { 'x-datamart-signature': 'forged' })
    expect(held).toEqual([])
    expect(await post(tell(ours, 'completed'))).toBe(503)
    expect(held).toEqual([expect.stringContaining(ours)])
  })

  it('does not wake an order whose attempt is an older one, or that knows as much already', async () => {
    const accepted = await makeAttempt('processing', 'accepted')
    expect(await post(tell(accepted.outgoingReference, 'processing'))).toBe(200)
    expect(await isDue(accepted.orderId)).toBe(false)
    const older = await makeAttempt('processing', 'throttled')
    await database.ownerDb.updateTable('open_orders').set({ attempt_no: 2 }).where('order_id', '=', older.orderId).execute()
    expect(await post(tell(older.outgoingReference, 'failed'))).toBe(200)
    expect(await isDue(older.orderId)).toBe(false)
  })

  it.each<[OrderStatus, string, string, number]>([
    ['completed', 'delivered', 'failed', 1],
    ['completed', 'delivered', 'completed', 0],
    ['completed', 'throttled', 'failed', 0],
    ['refunded', 'failed', 'completed', 1],
    ['refunded', 'failed', 'failed', 0],
    ['failed', 'failed', 'completed', 1],
    ['processing', 'never_received', 'completed', 1],
  ])('about a %s order with outcome %s that says %s leaves %i contradictions and the order as it is', async (...given) => {
    const [status, outcome, said, count] = given
    const attempt = await makeAttempt(status, outcome)
    const body = tell(attempt.outgoingReference, said)
    expect(await post(body)).toBe(200)
    expect(await post(body)).toBe(200)
    expect(await contradictionsOf(attempt.orderId)).toHaveLength(count)
    const order = await database.db
      .selectFrom('orders')
      .select('status')
      .where('id', '=', attempt.orderId)
      .executeTakeFirstOrThrow()
    expect(order.status).toBe(status)
    const alarms = await database.db.selectFrom('alarms').select('id').where('subject', '=', attempt.reference).execute()
    expect(alarms).toHaveLength(count)
  })

  it('is answered 404 for a supplier that there is not', async () => {
    for (const path of ['/callbacks/nobody', '/callbacks/constructor', '/callbacks/%00'])
      expect(await post('{}', {}, path)).toBe(404)
  })

  it('never makes an error of ours out of garbage', async () => {
    const bodies = [
      '',
      'null',
      '[]',
      '{"data":',
      '{"data":{"ref":5,"orderStatus":"completed"}}',
      '{"data":{"ref":"\\u0000","orderStatus":"completed"}}',
      '{"data":{"ref":"\\ud800","orderStatus":"completed"}}',
      '{"__proto__":{"data":{"ref":"x"}}}',
      '['.repeat(20_000),
      Buffer.from([0xff, 0xfe, 0x00, 0x7b]),
    ]
    for (const body of bodies) {
      expect(await post(body)).toBe(200)
      expect(await post(body, { 'x-datamart-signature': 'no' })).toBe(401)
    }
    expect(await post('x'.repeat(70_000))).toBe(413)
    const attempt = await makeAttempt('processing', null)
    const strange = JSON.stringify({
      data: { ref: attempt.outgoingReference, orderStatus: 'completed\u0000\ud800', price: 1e308 },
    })
    expect(await post(strange, { 'content-type': 'text/plain' })).toBe(200)
    expect(await answersOf(attempt.orderId)).toEqual([{ source: 'callback', answer: 'unknown' }])
    expect(logged).toEqual([])
  })
})

describe('a callback of a supplier that signs nothing', () => {
  const pathOf = (reference: string, keys = secretsKeys, name = 'hubtel') =>
    new URL(callbackUrl({ config, secretsKeys: keys }, name, reference)).pathname
  const bodyOf = (reference: string, code: string) =>
    JSON.stringify({ ResponseCode: code, Message: 'Words.', Data: { ClientReference: reference, TransactionId: 'f03dbd' } })
  const tellAt = async (path: string, body: string) =>
    (await app.inject({ method: 'POST', url: path, headers: { 'content-type': 'application/json' }, payload: body })).statusCode

  it('is taken at the address that only its supplier was told, and kept once', async () => {
    const attempt = await makeAttempt('processing', 'accepted', 'hubtel')
    const { outgoingReference: reference } = attempt
    const body = bodyOf(reference, '0000')
    expect(pathOf(reference)).toMatch(new RegExp(`^/callbacks/hubtel/${reference}/[A-Za-z0-9_-]{43}$`))
    expect(await Promise.all([tellAt(pathOf(reference), body), tellAt(pathOf(reference), body)])).toEqual([200, 200])
    expect(await answersOf(attempt.orderId)).toEqual([{ source: 'callback', answer: 'delivered' }])
    expect(await isDue(attempt.orderId)).toBe(true)
  })

  it('leaves the name of the account’s holder as one harmless line beside its word', async () => {
    const attempt = await makeAttempt('processing', 'accepted', 'hubtel')
    const { outgoingReference: reference } = attempt
    const tellName = (RecipientName: unknown) => {
      const Data = { ClientReference: reference, TransactionId: 'f03dbd', RecipientName }
      return tellAt(pathOf(reference), JSON.stringify({ ResponseCode: '0000', Message: 'Words.', Data }))
    }
    const hostile = `\u0000\ud800\u202e'); drop table orders; --\n<script>${'x'.repeat(9_000)}`
    for (const name of [hostile, hostile, '', { name: 'AMA' }]) expect(await tellName(name)).toBe(200)
    const kept = database.db.selectFrom('attempt_answers').select('account_name').where('order_id', '=', attempt.orderId)
    const names = (await kept.orderBy('answer_no').execute()).map((row) => row.account_name)
    const [first, ...others] = names
    expect(first).toMatch(/^\ufffd'\); drop table orders; -- <script>x+$/)
    expect(first).toHaveLength(100)
    expect(others).toEqual([null, null])
    expect(logged).toEqual([])
  })

  it('has no effect at any other address', async () => {
    const attempt = await makeAttempt('processing', 'accepted', 'hubtel')
    const { outgoingReference: reference } = attempt
    const strangers = parseSecretsKeys(Buffer.alloc(32, 8).toString('base64'), 'test')
    const ours = pathOf(reference)
    const forged = [
      pathOf(reference, strangers),
      `${ours.slice(0, -1)}${ours.endsWith('A') ? 'E' : 'A'}`,
      `${ours}=`,
      ours.slice(0, -2),
      `/callbacks/hubtel/${reference}/x`,
      // The address of another reference, or of another supplier's attempt, is not valid for this one.
      pathOf('another').replace('another', reference),
      pathOf(reference, secretsKeys, 'datamart').replace('datamart', 'hubtel'),
    ]
    for (const path of forged) expect(await tellAt(path, bodyOf(reference, '2001'))).toBe(401)
    expect(await tellAt('/callbacks/hubtel', bodyOf(reference, '2001'))).toBe(404)
    expect(await tellAt(pathOf(reference, secretsKeys, 'datamart'), '{}')).toBe(404)
    expect(await answersOf(attempt.orderId)).toEqual([])
    expect(await isDue(attempt.orderId)).toBe(false)
  })

  it('has no effect when it names another reference than its address', async () => {
    const attempt = await makeAttempt('processing', 'accepted', 'hubtel')
    const other = await makeAttempt('processing', 'accepted', 'hubtel')
    expect(await tellAt(pathOf(attempt.outgoingReference), bodyOf(other.outgoingReference, '2001'))).toBe(200)
    expect(await answersOf(attempt.orderId)).toEqual([])
    expect(await answersOf(other.orderId)).toEqual([])
  })

  it('is still taken after the key was rotated', async () => {
    const attempt = await makeAttempt('processing', 'accepted', 'hubtel')
    const newText = Buffer.alloc(32, 9).toString('base64')
    const both = parseSecretsKeys(`${newText},${Buffer.alloc(32, 7).toString('base64')}`, 'test')
    const [, , , , token = ''] = pathOf(attempt.outgoingReference).split('/')
    expect(isCallbackAddress(both, 'hubtel', attempt.outgoingReference, token)).toBe(true)
    expect(isCallbackAddress(parseSecretsKeys(newText, 'test'), 'hubtel', attempt.outgoingReference, token)).toBe(false)
  })

  it('is answered 503 while its order is not there yet', async () => {
    const reference = newId().replaceAll('-', '')
    expect(await tellAt(pathOf(reference), bodyOf(reference, '0000'))).toBe(503)
  })
})
