import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/test-database.ts'
import { connectDatabase } from './database.ts'
import { classifyDatabaseError, provesRollback } from './database-errors.ts'
import { inTransaction } from './in-transaction.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
  await sql`create table notes (text text)`.execute(database.ownerDb)
  await sql`create function warn() returns trigger language plpgsql as $$
    begin
      if new.text like 'warned%' then raise warning 'canceling wait for synchronous replication due to user request'; end if;
      if new.text = 'noticed' then raise notice 'nothing that matters'; end if;
      if new.text = 'refused' then raise exception 'no'; end if;
      return null;
    end $$`.execute(database.ownerDb)
  await sql`create constraint trigger warn after insert on notes deferrable initially deferred
    for each row execute function warn()`.execute(database.ownerDb)
})
afterAll(() => database.drop())

/** The two ways to write a note. */
const ways = {
  COMMIT: (text: string) => inTransaction(database.ownerDb, (tx) => sql`insert into notes values (${text})`.execute(tx)),
  // PostgreSQL reports the statement as complete, and commits it only then.
  'a statement outside a transaction': (text: string) => sql`insert into notes values (${text})`.execute(database.ownerDb),
}

/** Resolves with `'committed'`, or with the error. */
async function outcomeOf(writing: Promise<unknown>): Promise<unknown> {
  return writing.then(
    () => 'committed',
    (error: unknown) => error,
  )
}

const countNotes = async (text: string) => {
  const { rows } = await sql`select from notes where text = ${text}`.execute(database.ownerDb)
  return rows.length
}

describe.each(Object.entries(ways))('the answer to %s', (way, write) => {
  const warned = `warned by ${way}`

  it('is believed when nothing was warned of, whatever else was noticed', async () => {
    expect(await outcomeOf(write('noticed'))).toBe('committed')
  })

  it('is not believed with a warning: the transaction stands, and whoever waits reads that its outcome is in doubt', async () => {
    const error = await outcomeOf(write(warned))
    expect(error).toMatchObject({ name: 'CommitInDoubtError', code: '08007' })
    expect([classifyDatabaseError(error), provesRollback(error)]).toEqual(['connection_lost', false])
    expect(await countNotes(warned)).toBe(1)
  })

  it('proves that nothing was written when it is an error of the server', async () => {
    const error = await outcomeOf(write('refused'))
    expect([classifyDatabaseError(error), provesRollback(error)]).toEqual(['other', true])
    expect(await countNotes('refused')).toBe(0)
  })
})

describe('a connection whose commit was warned of', () => {
  it('leaves nothing of a warning to the next transaction of the connection', async () => {
    const db = connectDatabase({ url: database.ownerUrl, poolSize: 1, applicationName: 'makola tests' })
    await expect(inTransaction(db, (tx) => sql`insert into notes values ('warned')`.execute(tx))).rejects.toThrow('may be lost')
    await inTransaction(db, (tx) => sql`insert into notes values ('plain')`.execute(tx))
    await db.destroy()
    expect(await countNotes('plain')).toBe(1)
  })
})

describe('synchronous_commit of a session', () => {
  it.each([
    ['off', 'on'],
    ['local', 'on'],
    ['remote_write', 'on'],
    ['on', 'on'],
    ['remote_apply', 'remote_apply'],
  ])('is raised where it is weaker and never lowered: %s becomes %s', async (configured, expected) => {
    const name = new URL(database.ownerUrl).pathname.slice(1)
    await sql`alter database ${sql.id(name)} set synchronous_commit = ${sql.lit(configured)}`.execute(database.ownerDb)
    const db = connectDatabase({ url: database.applicationUrl, poolSize: 1, applicationName: 'makola tests' })
    const { rows } = await sql<{ synchronous_commit: string }>`show synchronous_commit`.execute(db)
    await db.destroy()
    expect(rows).toEqual([{ synchronous_commit: expected }])
  })
})

describe('jit of a session', () => {
  it('is off, whatever the server says', async () => {
    const name = new URL(database.ownerUrl).pathname.slice(1)
    await sql`alter database ${sql.id(name)} set jit = on`.execute(database.ownerDb)
    const db = connectDatabase({ url: database.applicationUrl, poolSize: 1, applicationName: 'makola tests' })
    const { rows } = await sql`show jit`.execute(db)
    await db.destroy()
    expect(rows).toEqual([{ jit: 'off' }])
  })
})

describe('a connection whose statement got no answer in time', () => {
  it('is given up at once, so that the next statement has one of its own', async () => {
    const db = connectDatabase({
      url: database.applicationUrl,
      poolSize: 1,
      applicationName: 'makola tests',
      queryTimeoutMilliseconds: 500,
    })
    const startedAt = performance.now()
    const failing = inTransaction(db, (tx) => sql`select pg_sleep(200)`.execute(tx))
    expect(await failing.catch(classifyDatabaseError)).toBe('connection_lost')
    const { rows } = await sql<{ one: number }>`select 1 as one`.execute(db)
    expect(rows).toEqual([{ one: 1 }])
    expect(performance.now() - startedAt).toBeLessThan(150_000)
    await db.destroy()
  })
})
