import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts'
import { keyDigest } from '../accounts/make-key.ts'
import { readConfig } from '../config.ts'
import { openPeople } from '../dashboard-routes.ts'
import { listMembers } from '../people/manage-people.ts'
import { signIn } from '../people/sign-in.ts'
import { listStaff } from '../people/staff/manage-staff.ts'
import { connectDatabase } from '../platform/database/database.ts'
import { loadSecretsKeys } from '../platform/secrets/load-secrets-keys.ts'
import { afaFees } from '../products/afa/afa.settings.ts'
import { findVoucherType, listVoucherStock } from '../products/results-checker/list-voucher-stock.ts'
import { unsealVoucher } from '../products/results-checker/seal-voucher.ts'
import { demoEmail } from './demo-files.ts'
import { emptyDemoConfig } from './open-demo.fixture.ts'
import { seedDemo } from './seed-demo.ts'

let database: TestDatabase
let dataDir: string
let warnings: string[]

async function openFreshDatabase(): Promise<void> {
  database = await createTestDatabase()
  dataDir = await mkdtemp(join(tmpdir(), 'makola-demo-'))
  warnings = []
}

async function removeDatabase(): Promise<void> {
  await database.drop()
  await rm(dataDir, { recursive: true, force: true })
}

const log = { info: () => undefined, warn: (text: unknown) => void warnings.push(String(text)) }

function seed(db = database.db, config: Partial<Parameters<typeof seedDemo>[0]['config']> = {}) {
  return seedDemo({ db, config: { ...emptyDemoConfig, dataDir, ...config }, log })
}

async function countOf(table: 'accounts' | 'api_keys' | 'packages' | 'wallet_credits' | 'routes' | 'suppliers'): Promise<number> {
  return (await database.db.selectFrom(table).select(sql`1`.as('one')).execute()).length
}

describe('the demo', () => {
  let seeding: Awaited<ReturnType<typeof seed>>

  beforeAll(async () => {
    await openFreshDatabase()
    seeding = await seed()
  })
  afterAll(removeDatabase)

  it('has an account with GHS 1,000, 1,000 SMS credits, a lifetime agent’s role, approved for SMS', async () => {
    expect(seeding.isNew).toBe(true)
    const account = await database.db.selectFrom('accounts').selectAll().where('email', '=', demoEmail).executeTakeFirstOrThrow()
    expect(account).toMatchObject({ role: 'agent', role_expires_at: null, status: 'active', is_business: true })
    expect(account.policy_accepted_at).toBeInstanceOf(Date)
    const wallets = await database.db.selectFrom('wallets').select(['purse', 'balance']).orderBy('purse').execute()
    expect(wallets).toEqual([
      { purse: 'commission', balance: 0 },
      { purse: 'main', balance: 100_000 },
      { purse: 'sms_credits', balance: 1_000 },
    ])
  })

  it('keeps a key of each type in DATA_DIR/demo-keys.json, for its user’s eyes only', async () => {
    const { keys } = seeding
    const file = join(dataDir, 'demo-keys.json')
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual(keys)
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    const rows = await database.db.selectFrom('api_keys').select(['type', 'status', 'digest']).execute()
    for (const type of ['standard', 'sms', 'commission'] as const) {
      const digest = keyDigest(keys?.[type] ?? '')
      expect(rows.find((row) => row.digest.toString('hex') === digest)).toMatchObject({ type, status: 'active' })
    }
  })

  it('has a reseller and an operator who can sign in, by DATA_DIR/demo-sign-ins.json, for its user’s eyes only', async () => {
    const file = join(dataDir, 'demo-sign-ins.json')
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    const signIns = JSON.parse(await readFile(file, 'utf8')) as Record<string, { email: string; password: string }>
    expect(signIns).toEqual({
      reseller: { email: demoEmail, password: expect.any(String) },
      operator: { email: 'operator@makola.test', password: expect.any(String) },
    })
    const people = openPeople(readConfig({ DATA_DIR: dataDir }), {
      db: database.db,
      secretsKeys: await loadSecretsKeys({ ...emptyDemoConfig, dataDir }),
    })
    const browser = { session: undefined, secondFactor: undefined, device: undefined, userAgent: '', address: '127.0.0.1' }
    for (const signInOf of Object.values(signIns)) expect((await signIn(people, signInOf, browser)).status).toBe('signed_in')
    expect(await listMembers(database.db, demoEmail)).toMatchObject([{ email: demoEmail, role: 'owner' }])
    expect(await listStaff(database.db)).toMatchObject([{ email: 'operator@makola.test', role: 'owner' }])
  })

  it('sells 1, 2, 5 and 10 GB on every network: 1 GB for GHS 3 to 8, agents and dealers cheaper on every row, unlimited', async () => {
    const packages = await database.db
      .selectFrom('packages')
      .selectAll()
      .select(sql<number>`volume_gb::float8`.as('gb'))
      .execute()
    for (const network of ['MTN', 'Telecel', 'AT-iShare', 'AT-BigTime']) {
      const sizes = packages.filter((row) => row.network === network).map((row) => row.gb)
      expect(sizes).toEqual(expect.arrayContaining([1, 2, 5, 10]))
    }
    for (const row of packages) {
      expect(row).toMatchObject({ stock: null, is_available: true })
      expect(row.price_agent).toBeLessThan(row.price_customer)
      expect(row.price_dealer).toBeLessThan(row.price_customer)
      if (row.gb !== 1) continue
      for (const price of [row.price_customer, row.price_agent, row.price_dealer]) {
        expect(price).toBeGreaterThanOrEqual(300)
        expect(price).toBeLessThanOrEqual(800)
      }
    }
  })

  it('has an offer and an open route for every package', async () => {
    const { rows } = await sql`
      select packages.id from packages
      left join package_offers on package_offers.package_id = packages.id
      left join routes on routes.supplier = package_offers.supplier and routes.product = 'data'
        and routes.network = packages.network and routes.state = 'open'
      where routes.supplier is null`.execute(database.db)
    expect(rows).toEqual([])
  })

  it('has three types of vouchers with 50 each that open with its key, and an AFA fee of GHS 5 to 20', async () => {
    const keys = await loadSecretsKeys({ ...emptyDemoConfig, dataDir })
    const types = await listVoucherStock(database.db)
    expect(types.map((type) => [type.is_active, type.available_count])).toEqual(Array.from({ length: 3 }, () => [true, 50]))
    const vouchers = await database.db.selectFrom('vouchers').selectAll().execute()
    expect(new Set(vouchers.map((row) => unsealVoucher(keys, row).pin)).size).toBe(150)
    for (const fee of Object.values(afaFees)) {
      expect(fee.defaultValue).toBeGreaterThanOrEqual(5)
      expect(fee.defaultValue).toBeLessThanOrEqual(20)
    }
  })

  it('sells the vouchers that the documentation’s example buys, so that it works as it is pasted', async () => {
    const document = JSON.parse(await readFile(new URL('../../../contract/openapi.json', import.meta.url), 'utf8'))
    const { example } = document.paths['/resultschecker/purchase'].post.requestBody.content['application/json']
    expect(await findVoucherType(database.db, example.typeId)).toMatchObject({ name: 'WASSCE', is_active: true })
  })
})

describe('seeding the demo', () => {
  beforeEach(openFreshDatabase)
  afterEach(removeDatabase)

  it('happens once, by whichever of several processes comes first', async () => {
    const others = await Promise.all(
      Array.from({ length: 3 }, async () =>
        connectDatabase({ url: database.applicationUrl, poolSize: 1, applicationName: 'other' }),
      ),
    )
    const seedings = await Promise.all([database.db, ...others].map((db) => seed(db)))
    await Promise.all(others.map((db) => db.destroy()))
    expect(seedings.filter((seeding) => seeding.isNew)).toHaveLength(1)
    expect(new Set(seedings.map((seeding) => seeding.keys?.standard)).size).toBe(1)
    expect(await countOf('accounts')).toBe(1)
    expect(await countOf('api_keys')).toBe(3)
    expect(await countOf('wallet_credits')).toBe(2)
    const packages = await countOf('packages')
    expect(await seed()).toEqual({ isNew: false, keys: seedings[0]?.keys })
    expect(await countOf('packages')).toBe(packages)
    expect(warnings).toEqual([])
  })

  it('says how to make a new key when its keys are lost, and makes none by itself', async () => {
    await seed()
    await rm(join(dataDir, 'demo-keys.json'))
    expect(await seed()).toEqual({ isNew: false, keys: undefined })
    expect(warnings).toHaveLength(1)
    expect(warnings[0]).toContain('npx makola key create --account demo@makola.test --type standard')
    expect(await countOf('api_keys')).toBe(3)
  })

  it('does not show keys that belong to another database', async () => {
    const { keys } = await seed()
    await database.db.updateTable('api_keys').set({ status: 'revoked', revoked_at: new Date() }).execute()
    expect(keys).toBeDefined()
    expect((await seed()).keys).toBeUndefined()
    expect(warnings).toHaveLength(1)
  })

  it.each([{ demo: false }, { suppliers: 'live' as const }])('is not seeded with %j', async (config) => {
    expect(await seed(database.db, config)).toEqual({ isNew: false, keys: undefined })
    expect(await countOf('accounts')).toBe(0)
    expect(await countOf('suppliers')).toBe(0)
  })

  it('is not added to a database that has accounts', async () => {
    await database.db
      .insertInto('accounts')
      .values({
        id: '0190a1b2-0000-7000-8000-000000000000',
        email: 'a@b.test',
        name: 'A',
        role: 'customer',
        role_expires_at: null,
        policy_accepted_at: null,
      })
      .execute()
    expect(await seed()).toEqual({ isNew: false, keys: undefined })
    expect(await countOf('packages')).toBe(0)
  })
})
