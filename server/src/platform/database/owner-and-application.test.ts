import { appendFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeAccount } from '../../../test/make-account.ts'
import { createTestDatabase, type TestDatabase } from '../../../test/test-database.ts'
import { checkApplicationRole } from './check-application-role.ts'
import { connectDatabase, type Db } from './database.ts'
import { describeLoginReach } from './describe-login-reach.ts'
import { startEmbeddedPostgres } from './embedded-postgres.ts'
import { checkSchema, migrate } from './migrate.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
  await makeAccount(database.db, { balancePesewas: 1_000 })
})
afterAll(() => database.drop())

describe('the session of a process, with a login of its own', () => {
  test('has history to protect', async () => {
    const { rows } = await sql<{ count: number }>`select count(*) as count from transfers`.execute(database.db)
    expect(rows[0]?.count).toBeGreaterThan(0)
    expect(await describeLoginReach(database.db)).toBeUndefined()
  })

  test.each([
    ['become the owner', 'set role makola_owner'],
    ['become the administrator', 'set role postgres'],
    ['become another login', 'set session authorization makola_owner'],
    ['switch a trigger off', 'alter table transfers disable trigger all'],
    ['switch all triggers off', 'set session_replication_role = replica'],
    ['remove a trigger', 'drop trigger transfers_are_append_only on transfers'],
    [
      'change what a trigger does',
      'create or replace function refuse_to_change_history() returns trigger language sql return null',
    ],
    ['remove transfers', 'delete from transfers'],
    ['change transfers', 'update transfers set amount = amount'],
    ['empty the ledger', 'truncate transfers'],
    ['remove events of orders', 'delete from order_events'],
    ['change events of orders', 'update order_events set order_id = order_id'],
    ['remove what suppliers answered', 'delete from attempt_answers'],
    ['remove what operators did', 'delete from operator_log'],
    ['alter the ledger', 'alter table transfers add column more text'],
    ['drop the ledger', 'drop table transfers'],
    ['own the ledger', 'alter table transfers owner to makola_app'],
    [
      'put a trigger of its own on the ledger',
      'create trigger mine before insert on transfers for each row execute function refuse_to_change_history()',
    ],
    ['put a rule on the ledger', 'create rule mine as on insert to transfers do instead nothing'],
    ['give itself rights', 'grant delete on transfers to makola_app; delete from transfers'],
    ['become a member of the owner', 'grant makola_owner to makola_app'],
    ['pretend that a migration ran', "insert into schema_migrations (name, timestamp) values ('9999', '')"],
  ])('cannot %s', async (_what, statement) => {
    for (const before of ['', 'set role none; ', 'reset role; ']) {
      const refused = await sql
        .raw(`${before}${statement}`)
        .execute(database.db)
        .catch((error: unknown) => error)
      expect(String(refused)).toMatch(/permission denied|must be (owner|able)/)
    }
    const { rows } = await sql<{ reach: string }>`
      select current_user as reach where current_user <> session_user or exists (
        select from pg_trigger where tgrelid = 'transfers'::regclass and tgenabled <> 'O')`.execute(database.db)
    expect(rows).toEqual([])
  })
})

test('one login that owns the tables works as the application role, and is told what it could do', async () => {
  const db = connectDatabase({ url: database.ownerUrl, role: 'makola_app', poolSize: 1, applicationName: 'makola tests' })
  try {
    await expect(checkApplicationRole(db)).resolves.toBeUndefined()
    expect(await describeLoginReach(db)).toBe(
      'The login makola_owner owns the tables, or may work as their owner, so a process that was taken over could change history. ' +
        'Give processes a login of their own in DATABASE_URL, and the owner’s to `makola migrate` in MIGRATE_DATABASE_URL.',
    )
  } finally {
    await db.destroy()
  }
})

test('the application’s login is told that it cannot migrate', async () => {
  await expect(migrate(database.db)).rejects.toThrow(
    "The login makola_app does not own the tables and may not make any. Migrate with the owner's login: set MIGRATE_DATABASE_URL.",
  )
})

describe('on a server of an operator', () => {
  /** A server as the guide has it set up: both logins are plain, and made by the administrator. */
  async function withServer(use: (connect: (login: string, name: string) => Db) => Promise<void>): Promise<void> {
    const folder = await mkdtemp(join(tmpdir(), 'makola-logins-'))
    const server = await startEmbeddedPostgres({ dataDir: folder, log: { info: () => undefined, warn: () => undefined } })
    const opened: Db[] = []
    const connect = (login: string, name: string) => {
      const url = server.ownerUrl.replace('makola_owner@', `${login}@`).replace('/makola?', `/${name}?`)
      const db = connectDatabase({ url, poolSize: 2, applicationName: 'makola tests' })
      opened.push(db)
      return db
    }
    try {
      for (const login of ['shop_owner', 'shop_app'])
        await appendFile(join(folder, 'postgres', 'pg_ident.conf'), `makola "${userInfo().username}" ${login}\n`)
      await sql`select pg_reload_conf()`.execute(connect('postgres', 'postgres'))
      await use(connect)
    } finally {
      await Promise.all(opened.map((db) => db.destroy()))
      await server.stop()
      await rm(folder, { recursive: true, force: true })
    }
  }

  test('an owner without any right over roles migrates, and another login serves', async () => {
    await withServer(async (connect) => {
      const administrator = connect('postgres', 'postgres')
      for (const statement of ['create role shop_owner login', 'create role shop_app login', 'grant makola_app to shop_app'])
        await sql.raw(statement).execute(administrator)
      await sql`create database shop owner shop_owner`.execute(administrator)
      const owner = connect('shop_owner', 'shop')
      await expect(migrate(owner)).rejects.toThrow('grant makola_app to "shop_owner"')
      expect(await migrate(owner, { hasTwoLogins: true })).toContain('0001_baseline')
      expect(await migrate(owner, { hasTwoLogins: true })).toEqual([])
      const application = connect('shop_app', 'shop')
      await checkSchema(application)
      await checkApplicationRole(application)
      expect(await describeLoginReach(application)).toBeUndefined()

      const reachOf = (grant: string, login: string) =>
        connect('postgres', 'shop')
          .connection()
          .execute(async (session) => {
            await sql.raw(`${grant}; set session authorization ${login}`).execute(session)
            const reach = await describeLoginReach(session)
            await sql`reset session authorization`.execute(session)
            return reach
          })
      expect(await reachOf('select 1', 'postgres')).toContain('is an administrator of the server')
      expect(await reachOf('grant shop_owner to shop_app', 'shop_app')).toContain('or may work as their owner')
      expect(await reachOf('revoke shop_owner from shop_app; grant delete on order_events to shop_app', 'shop_app')).toContain(
        'The login shop_app may change history',
      )
      expect(await reachOf('revoke delete on order_events from shop_app; alter role shop_app createrole', 'shop_app')).toContain(
        'may make roles',
      )
      const switching = 'alter role shop_app nocreaterole; grant set on parameter session_replication_role to shop_app'
      expect(await reachOf(switching, 'shop_app')).toContain('may switch triggers off')
      expect(await reachOf('revoke set on parameter session_replication_role from shop_app', 'shop_app')).toBeUndefined()
    })
  })
})
