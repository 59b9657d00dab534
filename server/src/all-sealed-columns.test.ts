import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { applicant } from '../test/applicant.ts'
import { makeAccount, personNamed } from '../test/make-account.ts'
import { createTestDatabase, type TestDatabase } from '../test/test-database.ts'
import { writeGateway } from '../test/write-secrets.ts'
import { allSealedColumns } from './all-sealed-columns.ts'
import { readGatewayCredentials, sealGatewayCredentials } from './gateways/gateway-credentials.ts'
import { listGateways } from './gateways/write-gateway.ts'
import { makeEndpoint, rotateSecret } from './notices/webhooks/endpoints.ts'
import { keptMailColumn, listKeptMails } from './people/mails/send-person-mails.ts'
import { openPushKeys } from './people/push/push-keys.ts'
import { proposeErasure } from './personal/erasures.ts'
import { confirmApproval } from './platform/approvals/decide-approval.ts'
import { inTransaction } from './platform/database/in-transaction.ts'
import { newId } from './platform/database/new-id.ts'
import { checkSecretsKeys } from './platform/secrets/check-secrets-keys.ts'
import { rotateSecrets } from './platform/secrets/rotate-secrets.ts'
import { sealSecret } from './platform/secrets/seal-secret.ts'
import { parseSecretsKeys } from './platform/secrets/secrets-keys.ts'
import { sealIdentity, unsealIdentity } from './products/afa/seal-identity.ts'
import { addVouchers } from './products/results-checker/add-vouchers.ts'
import { unsealVoucher } from './products/results-checker/seal-voucher.ts'
import { stockVouchers } from './products/results-checker/stock-vouchers.fixture.ts'
import { listUnsoldVouchers, withdrawalKind, withdrawVouchers } from './products/results-checker/withdraw-vouchers.ts'
import { sealCredentials, unsealCredentials } from './suppliers/registry/supplier-credentials.ts'

const oldText = Buffer.alloc(32, 1).toString('base64')
const newText = Buffer.alloc(32, 2).toString('base64')
const oldKeys = parseSecretsKeys(oldText, 'SECRETS_KEY')
const newKeys = parseSecretsKeys(newText, 'SECRETS_KEY')
const both = parseSecretsKeys(`${newText}\n${oldText}\n`, 'SECRETS_KEY_FILE')

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
beforeEach(async () => {
  await sql`truncate webhook_endpoints, person_mails, push_keys, erasures, number_keys, vouchers, voucher_types, afa_registrations, secret_canaries cascade`.execute(
    database.ownerDb,
  )
  await sql`delete from suppliers`.execute(database.ownerDb)
  await sql`delete from gateways`.execute(database.ownerDb)
  await sql`delete from proposed_gateway_credentials`.execute(database.ownerDb)
  await sql`delete from proposed_supplier_credentials`.execute(database.ownerDb)
})
afterAll(() => database.drop())

const rotate = (onProgress?: (count: number) => void) =>
  rotateSecrets(database.db, both, allSealedColumns, { actor: 'test', ...(onProgress && { onProgress }) })

async function sealEverything(): Promise<{ orderId: string; typeId: string }> {
  const orderId = newId()
  const { accountId } = await makeAccount(database.db)
  const { typeId } = await stockVouchers(database.db, oldKeys, 1_203, { name: 'WASSCE' })
  await database.db
    .insertInto('afa_registrations')
    .values({
      order_id: orderId,
      identity: sealIdentity(oldKeys, orderId, applicant),
      claimed_by: null,
      claimed_at: null,
      purged_at: null,
    })
    .execute()
  await database.db
    .insertInto('suppliers')
    .values({
      name: 'datamart',
      adapter: 'datamart',
      credentials: sealCredentials(oldKeys, 'datamart', { apiKey: 'k' }),
    } as never)
    .execute()
  await writeGateway(database.db, oldKeys, { name: 'paystack', change: { credentials: { secretKey: 'sk' } }, actor: 'test' })
  const proposed = sealGatewayCredentials(oldKeys, 'paystack', { secretKey: 'proposed' })
  await database.db
    .insertInto('proposed_gateway_credentials')
    .values({ name: 'paystack', id: newId(), credentials: proposed })
    .execute()
  const credentials = sealCredentials(oldKeys, 'datamart', { apiKey: 'proposed' })
  await database.db.insertInto('proposed_supplier_credentials').values({ name: 'datamart', id: newId(), credentials }).execute()
  const mailId = newId()
  await database.db
    .insertInto('person_mails')
    .values({
      id: mailId,
      email: 'ama@example.test',
      kind: 'sign_up',
      state: 'kept',
      lease_until: null,
      subject: 'Confirm',
      kept_text: sealSecret(oldKeys, 'the link', { ...keptMailColumn, rowId: mailId }),
      reason: null,
      ended_at: new Date(),
    })
    .execute()
  await openPushKeys(database.db, oldKeys)
  await inTransaction(database.db, async (tx) => {
    const request = { accountId, url: 'https://shop.example.com/', events: ['order.completed'] } as const
    const { endpointId } = await makeEndpoint(tx, request, { secretsKeys: oldKeys, isLive: true, actor: 'test' })
    await rotateSecret(tx, { endpointId, secretsKeys: oldKeys, actor: 'test' })
  })
  const person = personNamed('ama')
  await proposeErasure({ db: database.db, secretsKeys: oldKeys }, { number: '0241234567', reason: 'asked', person })
  return { orderId, typeId }
}

describe('the rotation of keys', () => {
  it('seals every secret anew, shows how far it is, and leaves nothing that needs the old key', async () => {
    await checkSecretsKeys(database.db, oldKeys)
    const { orderId, typeId } = await sealEverything()
    await checkSecretsKeys(database.db, both)
    const shown: number[] = []
    const { columns, left } = await rotate((count) => shown.push(count))
    expect(columns.map(({ table, column, resealed, unreadable }) => [`${table}.${column}`, resealed, unreadable])).toEqual([
      ['erasures.number', 1, 0],
      ['number_keys.key', 1, 0],
      ['suppliers.credentials', 1, 0],
      ['proposed_supplier_credentials.credentials', 1, 0],
      ['webhook_endpoints.secret', 1, 0],
      ['webhook_endpoints.previous_secret', 1, 0],
      ['person_mails.kept_text', 1, 0],
      ['push_keys.private_key', 1, 0],
      ['gateways.credentials', 1, 0],
      ['proposed_gateway_credentials.credentials', 1, 0],
      ['vouchers.pin', 1_203, 0],
      ['vouchers.serial_number', 1_203, 0],
      ['withdrawn_vouchers.pin', 0, 0],
      ['withdrawn_vouchers.serial_number', 0, 0],
      ['afa_registrations.identity', 1, 0],
    ])
    expect(left).toBe(0)
    expect(shown.at(-1)).toBe(2_417)
    await checkSecretsKeys(database.db, newKeys)
    const vouchers = await database.db.selectFrom('vouchers').selectAll().where('type_id', '=', typeId).orderBy('id').execute()
    expect(vouchers.map((row) => unsealVoucher(newKeys, row).pin)).toEqual(vouchers.map((_, index) => `PIN-WASSCE-${index + 1}`))
    const { identity: sealed } = await database.db
      .selectFrom('afa_registrations')
      .select('identity')
      .where('order_id', '=', orderId)
      .executeTakeFirstOrThrow()
    expect(unsealIdentity(newKeys, orderId, sealed ?? '')).toEqual(applicant)
    const { credentials } = await database.db.selectFrom('suppliers').select('credentials').executeTakeFirstOrThrow()
    expect(unsealCredentials(newKeys, 'datamart', credentials)).toEqual({ apiKey: 'k' })
    expect(await listGateways(database.db, newKeys)).toMatchObject([{ credentials_set: ['secretKey'] }])
    const proposed = await database.db.selectFrom('proposed_gateway_credentials').select('credentials').executeTakeFirstOrThrow()
    expect(readGatewayCredentials(newKeys, 'paystack', proposed.credentials)).toEqual({ secretKey: 'proposed' })
    expect(await listKeptMails(database.db, newKeys)).toMatchObject([{ text: 'the link' }])
  })

  it('hashes with the new key too, so that a known voucher is known with the new key alone', async () => {
    const { typeId } = await sealEverything()
    await rotate()
    const again = { id: newId(), line: 1, pin: 'PIN-WASSCE-7', serialNumber: 'SERIAL-WASSCE-7' }
    const added = await inTransaction(database.db, (tx) => addVouchers(tx, newKeys, typeId, [again]))
    expect(added).toMatchObject({ added: 0, known: 1, problems: [] })
  })

  it('leaves alone what no key opens, says where it is, and keeps the old key needed', async () => {
    await checkSecretsKeys(database.db, oldKeys)
    await sealEverything()
    await sql`update vouchers set pin = (select pin from vouchers order by id desc limit 1) where id = (select id from vouchers order by id limit 1)`.execute(
      database.db,
    )
    await checkSecretsKeys(database.db, both)
    const { columns, left } = await rotate()
    expect(columns.find(({ column }) => column === 'pin')).toMatchObject({ resealed: 1_202, unreadable: 1 })
    expect(left).toBe(1)
    await expect(checkSecretsKeys(database.db, newKeys)).rejects.toThrow('sealed with another key')
    const unread = { name: 'paystack', credentials_set: [], is_unreadable: true }
    expect(await listGateways(database.db, oldKeys)).toMatchObject([unread])
    await sql`update gateways set credentials = (select pin from vouchers limit 1)`.execute(database.db)
    const enable = { name: 'paystack', change: { isEnabled: true }, actor: 'test' }
    await expect(writeGateway(database.db, newKeys, enable)).rejects.toThrow('credentials of paystack are')
    expect(await listGateways(database.db, newKeys)).toMatchObject([unread])
    await writeGateway(database.db, newKeys, { name: 'paystack', change: { credentials: { secretKey: 'new' } }, actor: 'test' })
    expect(await listGateways(database.db, newKeys)).toMatchObject([{ credentials_set: ['secretKey'], is_unreadable: false }])
  })

  it('may be stopped and run again, and then finds nothing to do', async () => {
    await sealEverything()
    await rotate()
    const { columns, left } = await rotate()
    expect(columns.every(({ resealed }) => resealed === 0)).toBe(true)
    expect(left).toBe(0)
  })

  it('of two that run at once harms nothing', async () => {
    await sealEverything()
    const results = await Promise.all([rotate(), rotate()])
    expect(results.flatMap(({ columns }) => columns).reduce((sum, { resealed }) => sum + resealed, 0)).toBe(2_417)
    expect(results.flatMap(({ columns }) => columns).reduce((sum, { unreadable }) => sum + unreadable, 0)).toBe(0)
  })
})

/** Two people take a voucher out of the stock. */
async function withdrawOne(typeId: string): Promise<void> {
  const voucherIds = (await listUnsoldVouchers(database.db, oldKeys, typeId, {})).slice(0, 1)
  await inTransaction(database.db, async (tx) => {
    const wish = { type: { id: typeId, name: 'WASSCE' }, voucherIds, reason: 'r', person: { by: 'ama', osUser: 'ama' } }
    const { approvalId } = await withdrawVouchers(tx, wish)
    await confirmApproval(tx, [withdrawalKind], { approvalId, person: { by: 'kofi', osUser: 'kofi' } })
  })
}

it('every column that holds sealed texts is known to the rotation', async () => {
  const { typeId } = await sealEverything()
  await withdrawOne(typeId)
  const { rows: columns } = await sql<{ table: string; column: string }>`
    select table_name as "table", column_name as "column" from information_schema.columns
    where table_schema = 'public' and data_type = 'text' and table_name <> 'secret_canaries'`.execute(database.db)
  const sealed: string[] = []
  for (const { table, column } of columns) {
    const { rows } = await sql`select from ${sql.table(table)} where ${sql.ref(column)} ~ '^v1\\.[0-9a-f]{8}\\.' limit 1`.execute(
      database.ownerDb,
    )
    if (rows.length > 0) sealed.push(`${table}.${column}`)
  }
  expect(sealed.toSorted()).toEqual(allSealedColumns.map(({ table, column }) => `${table}.${column}`).toSorted())
})
