import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeAccount } from '../../test/make-account.ts'
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts'
import { writeGateway } from '../../test/write-secrets.ts'
import { pesewas } from '../money/pesewas.ts'
import { concludeTopUp } from '../money/top-ups/conclude-top-up.ts'
import { forgetPayers, forgettingOfPayers } from '../money/top-ups/forget-payers.ts'
import { makeTopUp } from '../money/top-ups/make-top-up.ts'
import { quoteTopUp } from '../money/top-ups/top-ups.settings.ts'
import { inTransaction } from '../platform/database/in-transaction.ts'
import { newId } from '../platform/database/new-id.ts'
import { parseSecretsKeys } from '../platform/secrets/secrets-keys.ts'
import { verifyDueTopUps, watchSilentGateways } from './gateway-timers.ts'
import { openGateways } from './open-gateways.ts'
import { testGateway } from './test-gateway.ts'

const log = pino({ level: 'silent' })
const keysOf = (byte: number) => parseSecretsKeys(Buffer.alloc(32, byte).toString('base64'), 'the test')
const amount = pesewas(10_000)
const terms = {
  smallest: pesewas(1),
  largest: amount,
  dailyLimit: pesewas(1_000_000),
  minutes: 60,
  feePoints: 0,
  feeIsPaidBy: 'operator',
  quote: (asked: typeof amount) => quoteTopUp(asked, 0, 'operator'),
} as const

let database: TestDatabase
let accountId = ''
beforeAll(async () => {
  database = await createTestDatabase()
  ;({ accountId } = await makeAccount(database.db))
})
afterAll(() => database.drop())

async function begin(): Promise<string> {
  const request = { accountId, way: 'paystack', amount, fee: pesewas(0), madeBy: 'ama@example.test', pageReference: newId() }
  return (await inTransaction(database.db, (tx) => makeTopUp(tx, request, terms))).topUpId
}
const readOne = (id: string) => database.db.selectFrom('top_ups').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const listAlarms = async () =>
  (await database.db.selectFrom('alarms').select('name').where('cleared_at', 'is', null).orderBy('name').execute()).map(
    ({ name }) => name,
  )

describe('a gateway whose credentials cannot be unsealed', () => {
  const openWithOtherKey = () => openGateways({ db: database.db, log, secretsKeys: keysOf(2), publicUrl: 'https://makola.test' })
  beforeAll(async () => {
    const change = { credentials: { secretKey: 'sk_live_of_ours' } }
    await writeGateway(database.db, keysOf(1), { name: 'paystack', change, actor: 'test' })
  })

  it('counts as silent: its top-ups are asked about later, so that those of others have their turn, and a person is told', async () => {
    const topUpId = await begin()
    await sql`update top_ups set next_ask_at = clock_timestamp() where id = ${topUpId}`.execute(database.db)
    await verifyDueTopUps({ db: database.db, log, gateways: openWithOtherKey() })
    const topUp = await readOne(topUpId)
    expect(topUp).toMatchObject({ state: 'pending', said: 'unanswered', unanswered_since: expect.any(Date) })
    expect(topUp.next_ask_at).not.toBeNull()
    expect(Number(topUp.next_ask_at)).toBeGreaterThan(Number(topUp.asked_at))
    await sql`update top_ups set unanswered_since = clock_timestamp() - interval '16 minutes' where id = ${topUpId}`.execute(
      database.db,
    )
    await watchSilentGateways({ db: database.db, log })
    expect(await listAlarms()).toEqual(['gateway_silent'])
  })

  it('opens no payment: the top-up fails, and a person is told', async () => {
    const topUpId = await begin()
    expect(await openWithOtherKey().open(topUpId, { email: 'ama@example.test', isAgain: false })).toBe(false)
    expect(await readOne(topUpId)).toMatchObject({ state: 'failed', reason: 'The payment page could not be opened.' })
    expect(await listAlarms()).toContain('gateway_refuses')
  })

  it('is tried, and does not work', async () => {
    expect(await testGateway({ db: database.db, gateways: openWithOtherKey() }, 'paystack', 'cli:ama')).toMatchObject({
      isWell: false,
    })
  })
})

describe('an answer of the gateway', () => {
  const failed = { meaning: 'failed', evidence: 'Ama, 0241234567', reason: 'declined' } as const
  const conclude = (id: string) => inTransaction(database.db, (tx) => concludeTopUp(tx, id, failed))

  it('that comes after the payer was forgotten is forgotten too', async () => {
    const topUpId = await begin()
    const set = (change: ReturnType<typeof sql>) => sql`update top_ups set ${change} where id = ${topUpId}`.execute(database.db)
    await conclude(topUpId)
    await set(sql`next_ask_at = null`)
    expect(await inTransaction(database.db, (tx) => forgetPayers(tx, [topUpId]))).toEqual([topUpId])
    expect(await readOne(topUpId)).toMatchObject({ said: null, evidence: null })
    await conclude(topUpId)
    await set(sql`next_ask_at = null`)
    await inTransaction(database.db, (tx) => forgettingOfPayers.step(tx, topUpId))
    expect(await readOne(topUpId)).toMatchObject({ state: 'failed', said: null, evidence: null })
  })

  it('that contradicts a credit is not carried out without its alarm', async () => {
    const topUpId = await begin()
    const { reference } = await readOne(topUpId)
    const paid = { meaning: 'paid', reference, amountPesewas: amount, currency: 'GHS', channel: 'card', evidence: '' } as const
    await inTransaction(database.db, (tx) => concludeTopUp(tx, topUpId, paid))
    await sql`update top_ups set next_ask_at = clock_timestamp() where id = ${topUpId}`.execute(database.db)
    const data = { status: 'reversed', reference, currency: 'GHS', amount }
    const paystack = createServer((_request, response) => response.end(JSON.stringify({ status: true, data })))
    await once(paystack.listen(0, '127.0.0.1'), 'listening')
    const url = `http://127.0.0.1:${(paystack.address() as AddressInfo).port}`
    const gateways = openGateways({
      db: database.db,
      log,
      secretsKeys: keysOf(1),
      publicUrl: 'https://makola.test',
      findSimulator: async () => url,
    })
    await sql`alter table alarms add constraint none_now check (false) not valid`.execute(database.ownerDb)
    await expect(gateways.verifyNow(topUpId)).rejects.toThrow('none_now')
    await sql`alter table alarms drop constraint none_now`.execute(database.ownerDb)
    await verifyDueTopUps({ db: database.db, log, gateways })
    expect(await listAlarms()).toContain('top_up_contradiction')
    paystack.close()
  })
})

describe('an answer that PostgreSQL cannot store as it is', () => {
  it('to a try is shown and logged without what cannot be stored', async () => {
    const evidence = `HTTP 200: \0${'x'.repeat(489)}\u{1f4a5}`
    const gateway = { ask: async () => ({ meaning: 'unanswered', evidence }) }
    const gateways = { find: async () => gateway as never }
    const tried = await testGateway({ db: database.db, gateways }, 'paystack', 'cli:ama')
    expect(tried.isWell).toBe(false)
    expect(tried.evidence).toMatch(/^HTTP 200: x{489}.$/u)
  })

  it('credits a payment all the same', async () => {
    const topUpId = await begin()
    const { reference } = await readOne(topUpId)
    const paid = {
      meaning: 'paid',
      reference,
      amountPesewas: amount,
      currency: 'GHS',
      channel: 'card\0',
      evidence: '\0',
    } as const
    await inTransaction(database.db, (tx) => concludeTopUp(tx, topUpId, paid))
    expect(await readOne(topUpId)).toMatchObject({ state: 'credited', channel: 'card' })
  })
})
