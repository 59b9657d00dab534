import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { sql } from 'kysely'
import { Agent, request } from 'undici'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { allSealedColumns } from '../src/all-sealed-columns.ts'
import { type RunningApi, startApi } from '../src/api.ts'
import { migrateDatabase } from '../src/commands/run/migrate-installation.ts'
import { readConfig } from '../src/config.ts'
import { sendCourtesyNotices } from '../src/notices/send-courtesy-notices.ts'
import { createLog } from '../src/platform/create-log.ts'
import { connectDatabase, type Db } from '../src/platform/database/database.ts'
import { startEmbeddedPostgres } from '../src/platform/database/embedded-postgres.ts'
import { loadSecretsKeys } from '../src/platform/secrets/load-secrets-keys.ts'
import { rotateSecrets } from '../src/platform/secrets/rotate-secrets.ts'
import { parseSecretsKeys } from '../src/platform/secrets/secrets-keys.ts'
import { claimRegistrations, completeRegistration } from '../src/products/afa/work-registrations.ts'
import { createVoucherNotices } from '../src/products/results-checker/compose-voucher-notice.ts'
import { importVouchers } from '../src/products/results-checker/import-vouchers.ts'
import { findVoucherType } from '../src/products/results-checker/list-voucher-stock.ts'
import { writeVoucherType } from '../src/products/results-checker/write-voucher-type.ts'
import { readSupplierChange } from '../src/suppliers/registry/read-supplier-change.ts'
import { makeAccount, makeKeyFor } from './make-account.ts'
import { runPeopleTraffic } from './servers/run-people-traffic.ts'
import { writeSupplier } from './write-secrets.ts'

/** Texts that exist nowhere else, put in the places of secrets. */
const canaries = {
  pin: '704182639955',
  soldPin: '704182639966',
  serialNumber: 'CANARYSERIAL7731',
  soldSerialNumber: 'CANARYSERIAL7742',
  idNumber: 'GHA-604417729-3',
  dateOfBirth: '1983-11-27',
  fullName: 'Kwabena Canarius Boateng',
  notes: 'canary notes of the applicant',
  supplierKey: 'canary-supplier-key-90125',
}
/** Stored in plain text: finding it proves that the search works. */
const visiblePhone = '0245550199'

let dataDir: string
let server: Awaited<ReturnType<typeof startEmbeddedPostgres>>
let db: Db
let ownerDb: Db
let api: RunningApi
let apiKey: string
let dispatcher: Agent
const logLines: string[] = []
const log = createLog({ level: 'trace', destination: { write: (line: string) => void logLines.push(line) } })

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'makola-canary-'))
  const config = readConfig({ DATA_DIR: dataDir, PORT: '0', SIMULATOR_URL: 'http://127.0.0.1:9' })
  server = await startEmbeddedPostgres({ dataDir, log })
  await migrateDatabase(server.ownerUrl)
  db = connectDatabase({ url: server.applicationUrl, poolSize: 4, applicationName: 'canary' })
  ownerDb = connectDatabase({ url: server.ownerUrl, poolSize: 1, applicationName: 'canary' })
  api = await startApi({ config, database: { url: server.applicationUrl }, log })
  dispatcher = new Agent({ connect: { ca: await readFile(join(dataDir, 'tls', 'ca.pem')) } })
  const { accountId } = await makeAccount(db, { balancePesewas: 1_000_000 })
  apiKey = await makeKeyFor(db, accountId)
})
let isStopped = false
/** A server that stops writes all it holds in memory to its files. */
async function stopEverything(): Promise<void> {
  if (isStopped) return
  isStopped = true
  await api.close()
  await dispatcher.close()
  await Promise.all([db.destroy(), ownerDb.destroy()])
  await server.stop()
}
afterAll(async () => {
  await stopEverything()
  await rm(dataDir, { recursive: true, force: true })
})

async function call(
  method: 'GET' | 'POST',
  path: string,
  body?: unknown,
  key = apiKey,
  // The shape of each answer is what its caller looks at.
  // oxlint-disable-next-line typescript/no-explicit-any
): Promise<{ status: number; text: string; data: any }> {
  const answer = await request(`https://localhost:${api.port}/api/v2${path}`, {
    method,
    dispatcher,
    headers: { authorization: key, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await answer.body.text()
  return { status: answer.statusCode, text, data: JSON.parse(text).data }
}

const person = (reference: string) => ({
  reference,
  full_name: canaries.fullName,
  phone: visiblePhone,
  id_type: 'Ghana Card',
  id_number: canaries.idNumber,
  date_of_birth: canaries.dateOfBirth,
  region: 'Volta',
  location: 'Ho',
  notes: canaries.notes,
})

/**
 * Does everything that touches secrets: import, sale, look-up, courtesy delivery, registration, processing, rotation,
 * and failures.
 */
async function runTraffic(): Promise<void> {
  const keys = await loadSecretsKeys({ secretsKey: undefined, databaseUrl: undefined, dataDir })
  await writeSupplier(db, keys, 'canary', readSupplierChange(['adapter=datamart', `apiKey=${canaries.supplierKey}`]), 'test')
  const prices = { priceCustomer: 2_000, priceAgent: 1_750, priceDealer: 1_650 } as never
  await writeVoucherType(db, { name: 'WASSCE', ...(prices as object) }, 'test')
  const type = await findVoucherType(db, 'WASSCE')
  if (!type) throw new Error('no type')
  const file = (rows: string) => Readable.from([`pin,serial_number\n${rows}\n`])
  const rows = `${canaries.soldPin},${canaries.soldSerialNumber}\n${canaries.pin},${canaries.serialNumber}`
  await importVouchers(db, keys, { type, file: file(rows), isDryRun: false, actor: 'test' })
  const bad = importVouchers(db, keys, { type, file: file(`${canaries.pin},OTHER`), isDryRun: false, actor: 'test' })
  await bad.catch((error: unknown) => log.error({ err: error }, 'as a command would print it'))

  const purchase = { typeId: type.id, quantity: 1, reference: 'canary-1', recipientPhone: visiblePhone }
  expect((await call('POST', '/resultschecker/purchase', purchase)).data.vouchers[0].pin).toBe(canaries.soldPin)
  expect((await call('GET', '/resultschecker/orders/canary-1')).text).toContain(canaries.soldSerialNumber)
  const sms = { sendSms: async () => ({ outcome: 'not_sent' as const, isFinal: false, reason: 'no link' }) }
  await sendCourtesyNotices({ db, log, compose: createVoucherNotices(db, keys), mailServer: undefined, sms })

  expect((await call('POST', '/afa/register', person('afa-canary-1'))).status).toBe(200)
  expect((await call('POST', '/afa/register', person('afa-canary-1'))).status).toBe(409)
  await claimRegistrations(db, ['afa-canary-1'], 'ama')
  await completeRegistration(db, { reference: 'afa-canary-1', reason: 'form 1', by: 'ama' })

  // Secrets in the wrong place, and bodies that cannot be read.
  expect((await call('POST', '/afa/register', { ...person('afa-canary-2'), region: canaries.idNumber })).status).toBe(400)
  expect((await call('POST', '/afa/register', `{"id_number":"${canaries.idNumber}",`)).status).toBe(400)
  expect(
    (await call('GET', '/wallet/balance', undefined, `${apiKey.slice(0, -1)}${apiKey.endsWith('x') ? 'y' : 'x'}`)).status,
  ).toBe(401)

  // The database itself complains about a row, in its own words.
  await sql`alter table afa_registrations add constraint nothing_fits check (false) not valid`.execute(ownerDb)
  expect((await call('POST', '/afa/register', person('afa-canary-3'))).status).toBe(500)
  await sql`alter table afa_registrations drop constraint nothing_fits`.execute(ownerDb)
  await sql`update vouchers set pin = left(pin, -1) where order_id is null`.execute(db)
  await sql`update vouchers set serial_number = pin where order_id is not null`.execute(db)
  expect((await call('GET', '/resultschecker/orders/canary-1')).status).toBe(500)

  const newKey = Buffer.alloc(32, 7).toString('base64')
  const both = parseSecretsKeys(`${newKey}\n${await readFile(join(dataDir, 'secrets.key'), 'utf8')}`, 'SECRETS_KEY_FILE')
  await rotateSecrets(db, both, allSealedColumns, { actor: 'test' })
}

/** A text as it could stand in a file: plain, in hexadecimal, or in base64 at any of three offsets. */
function formsOf(text: string): Buffer[] {
  const bytes = Buffer.from(text)
  const inBase64 = [0, 1, 2].map((offset) => {
    const encoded = Buffer.concat([Buffer.alloc(offset), bytes])
      .toString('base64')
      .replaceAll('=', '')
    // The first and last characters also hold bits of the bytes beside the text.
    return encoded.slice(offset === 0 ? 0 : offset + 1, -1)
  })
  return [text, bytes.toString('hex'), ...inBase64].map((form) => Buffer.from(form))
}

async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
}

/** The names of the canaries that stand in the files, with the file. */
async function findInFiles(wanted: Readonly<Record<string, string>>, files: readonly string[]): Promise<string[]> {
  const forms = Object.entries(wanted).map(([name, text]) => ({ name, forms: formsOf(text) }))
  const hits: string[] = []
  for (const file of files) {
    const content = await readFile(file).catch(() => Buffer.alloc(0))
    for (const { name, forms: each } of forms) if (each.some((form) => content.includes(form))) hits.push(`${name} in ${file}`)
  }
  return hits
}

/** Every row of every table of the schema `public` as text. */
async function dump(): Promise<string> {
  const { rows: tables } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables where table_schema = 'public'`.execute(ownerDb)
  const texts: string[] = []
  for (const { name } of tables) {
    const { rows } = await sql<{ row: string }>`select ${sql.table(name)}::text as row from ${sql.table(name)}`.execute(ownerDb)
    texts.push(...rows.map(({ row }) => `${name}: ${row}`))
  }
  return texts.join('\n')
}

describe('secrets', () => {
  it('are in no table, no file of the data folder, no write-ahead log and no log after they went through everything', async () => {
    await runTraffic()
    const personSecrets = await runPeopleTraffic({ db, dataDir, log, url: `https://localhost:${api.port}` })
    const wanted = { ...canaries, ...personSecrets, apiKey }
    const dumpFile = join(dataDir, 'dump.txt')
    const logFile = join(dataDir, 'log.txt')
    await writeFile(dumpFile, await dump())
    await writeFile(logFile, logLines.join(''))
    await stopEverything()
    const files = await listFiles(dataDir)

    const seen = await findInFiles({ visiblePhone }, files)
    expect(seen.some((hit) => hit.endsWith('dump.txt'))).toBe(true)
    expect(seen.some((hit) => hit.includes('pg_wal'))).toBe(true)
    expect(seen.some((hit) => /\/base\//.test(hit))).toBe(true)
    expect(logLines.join('')).toContain('nothing_fits')
    expect(await findInFiles(wanted, files)).toEqual([])
  })
})
