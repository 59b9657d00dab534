import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts'
import type { Db } from '../platform/database/database.ts'
import { firstIdAt } from '../platform/database/first-id-at.ts'
import { newId } from '../platform/database/new-id.ts'
import { createPartitions, listTablesWithoutNextPartition, maintainPartitions } from '../platform/partitions/partitions.ts'
import { watchPartitions } from './partition-timers.ts'

let database: TestDatabase
beforeEach(async () => {
  database = await createTestDatabase()
})
afterEach(() => database.drop())

const silentLog = { error: () => undefined, info: () => undefined }

async function listPartitions(db: Db = database.db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select inhrelid::regclass::text as name from pg_inherits join pg_class on pg_class.oid = inhrelid
    where relkind = 'r' order by 1`.execute(db)
  return rows.map(({ name }) => name)
}

async function dropNextPartition(table: string): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select ${table} || to_char((now() at time zone 'UTC') + interval '1 month', '_YYYY_MM') as name`.execute(database.db)
  await sql`drop table ${sql.table(rows[0]?.name ?? '')}`.execute(database.ownerDb)
}

const insertEvent = (db: Db, orderId: string) =>
  sql`insert into order_events (order_id, from_status, to_status, actor) values (${orderId}, 'pending', 'processing', 'worker')`.execute(
    db,
  )

const monthsAgo = (count: number) => new Date(Date.UTC(new Date().getUTCFullYear(), new Date().getUTCMonth() - count, 15))

describe('the partitions of a table that grows with every order', () => {
  it('are there from the month before this one to two months after it, each partition once', async () => {
    const partitions = await listPartitions()
    const tables = await database.db.selectFrom('partitioned_tables').select('name').orderBy('name').execute()
    const months = [-1, 0, 1, 2].map((later) => monthsAgo(-later).toISOString().slice(0, 7).replace('-', '_'))
    expect(partitions).toEqual(tables.flatMap(({ name }) => months.map((month) => `${name}_${month}`)).toSorted())
    await createPartitions(database.db)
    expect(await listPartitions()).toEqual(partitions)
  })

  it('are made once by two processes at the same time, also for months long ago', async () => {
    const before = await listPartitions()
    await Promise.all([createPartitions(database.db, monthsAgo(5)), createPartitions(database.ownerDb, monthsAgo(5))])
    const tables = await database.db.selectFrom('partitioned_tables').select('name').execute()
    expect(await listPartitions()).toHaveLength(before.length + 4 * tables.length)
    await insertEvent(database.db, firstIdAt(monthsAgo(5).getTime()))
  })

  it('make an insert wait for nothing, and are made while a sale is open', async () => {
    await database.db.transaction().execute(async (tx) => {
      await insertEvent(tx, newId())
      await expect(createPartitions(database.ownerDb, monthsAgo(3))).resolves.toBeUndefined()
    })
  })

  it('refuse changes of history when a statement names the partition itself', async () => {
    await insertEvent(database.db, newId())
    const partition = sql.table((await listPartitions()).find((name) => name.startsWith('order_events')) ?? '')
    for (const statement of [
      sql`update ${partition} set reason = 'x'`,
      sql`delete from ${partition}`,
      sql`truncate ${partition}`,
    ]) {
      await expect(statement.execute(database.ownerDb)).rejects.toThrow('are history and are never changed')
      await expect(statement.execute(database.db)).rejects.toThrow('permission denied')
    }
  })

  it('may be made by processes, which may make or remove no other table', async () => {
    await createPartitions(database.db, monthsAgo(2))
    await expect(sql`create table other (id uuid)`.execute(database.db)).rejects.toThrow('permission denied')
    const partition = sql.table((await listPartitions())[0] ?? '')
    await expect(sql`drop table ${partition}`.execute(database.db)).rejects.toThrow('must be owner')
    await expect(sql`select from ${partition}`.execute(database.db)).rejects.toThrow('permission denied')
  })

  it('raise an alarm when one is missing for the next month, until it is made', async () => {
    const openAlarms = () =>
      database.db.selectFrom('alarms').select(['name', 'subject']).where('cleared_at', 'is', null).execute()
    await watchPartitions(database.db, silentLog)
    expect(await openAlarms()).toEqual([])
    await dropNextPartition('transfers')
    expect(await listTablesWithoutNextPartition(database.db)).toEqual(['transfers'])
    await watchPartitions(database.db, silentLog)
    expect(await openAlarms()).toEqual([{ name: 'partition_missing', subject: 'transfers' }])
    await createPartitions(database.db)
    await watchPartitions(database.db, silentLog)
    expect(await openAlarms()).toEqual([])
  })

  it('are frozen once their month ended a week ago, one partition of each table at a time', async () => {
    await createPartitions(database.db, monthsAgo(4))
    const listClosed = async () => {
      const { rows } = await sql<{ name: string }>`
        select relname as name from pg_class where reloptions @> array['autovacuum_freeze_table_age=0'] and relname like 'orders_2%'
        order by 1`.execute(database.db)
      return rows.map(({ name }) => name)
    }
    const nameOf = (moment: Date) => `orders_${moment.toISOString().slice(0, 7).replace('-', '_')}`
    const weekAgo = new Date(Date.now() - 7 * 86_400_000)
    const ended = [4, 3, 2, 1]
      .map(monthsAgo)
      .map(nameOf)
      .filter((name) => name < nameOf(weekAgo))
    for (let calls = 0; calls <= ended.length; calls += 1) {
      expect(await listClosed()).toEqual(ended.slice(0, calls))
      await maintainPartitions(database.db)
    }
    expect(await listClosed()).toEqual(ended)
  })
})
