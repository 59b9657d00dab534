import { appendFile, mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../embedded-postgres.ts'
import { backUpEmbedded, listBackups, type MadeBackup, removeOldBackups } from './back-up-cluster.ts'
import { restoreEmbedded } from './restore-cluster.ts'

const log = { info: () => undefined, warn: () => undefined }
const ignore = () => undefined
let folder: string
let server: EmbeddedPostgres
let made: MadeBackup
let countAtEnd: number

async function query<R extends pg.QueryResultRow>(url: string, text: string): Promise<R[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<R>(text)).rows
  } finally {
    await client.end()
  }
}

const countSales = async (url: string) =>
  (await query<{ count: number }>(url, 'select count(*)::integer as count from sales'))[0]?.count ?? 0

/** Writes rows, and new files, without a pause until it is told to stop. */
async function sell(url: string, isOver: () => boolean): Promise<void> {
  for (let no = 0; !isOver(); no += 1) {
    await query(url, `insert into sales (text) select repeat('sold', 200) from generate_series(1, 50)`)
    await query(url, `create table passing_${no} as select 1 as one; drop table passing_${no}`)
  }
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'makola-backup-'))
  server = await startEmbeddedPostgres({ dataDir: join(folder, 'data'), log })
  await query(server.ownerUrl, 'create table sales (id bigint generated always as identity primary key, text text not null)')
  await query(server.ownerUrl, `insert into sales (text) select 'before' from generate_series(1, 50)`)
  let isOver = false
  const selling = sell(server.ownerUrl, () => isOver)
  made = await backUpEmbedded(join(folder, 'data'), join(folder, 'backups'), ignore)
  isOver = true
  await selling
  countAtEnd = await countSales(server.ownerUrl)
})
afterAll(async () => {
  await server.stop()
  await rm(folder, { recursive: true, force: true })
})

it('a backup that was made while rows were written is a whole database of that time', async () => {
  const dataDir = join(folder, 'restored')
  await restoreEmbedded(made.folder, dataDir, ignore)
  const restored = await startEmbeddedPostgres({ dataDir, log })
  try {
    const count = await countSales(restored.ownerUrl)
    expect(count).toBeGreaterThanOrEqual(50)
    expect(count).toBeLessThanOrEqual(countAtEnd)
    expect(count % 50).toBe(0)
    expect(
      await query(restored.ownerUrl, `select count(text)::integer as texts, count(*) = max(id) as is_whole from sales`),
    ).toEqual([{ texts: count, is_whole: true }])
    await query(restored.ownerUrl, `insert into sales (text) values ('after')`)
  } finally {
    await restored.stop()
  }
})

it('nothing is overwritten, and a backup that was changed is not restored', async () => {
  await expect(restoreEmbedded(made.folder, join(folder, 'data'), ignore)).rejects.toThrow(/Move it away first/)
  await expect(restoreEmbedded(folder, join(folder, 'other'), ignore)).rejects.toThrow(/backup.json is missing/)
  await rename(join(folder, 'data', 'postgres'), join(folder, 'aside'))
  await expect(restoreEmbedded(made.folder, join(folder, 'data'), ignore)).rejects.toThrow(/still runs. Stop Makola first/)
  await rename(join(folder, 'aside'), join(folder, 'data', 'postgres'))
  await appendFile(join(made.folder, 'postgres', 'PG_VERSION'), '\n')
  await expect(restoreEmbedded(made.folder, join(folder, 'other'), ignore)).rejects.toThrow(/not as it was/)
  expect(await readdir(join(folder, 'other'))).toEqual([])
})

it('a backup that cannot be finished leaves nothing that looks like one, and old ones are removed by count', async () => {
  const failing = backUpEmbedded(join(folder, 'data'), join(folder, 'backups'), () => {
    throw new Error('the disk is full')
  })
  await expect(failing).rejects.toThrow('the disk is full')
  expect(await readdir(join(folder, 'backups'))).toHaveLength(1)
  const next = await backUpEmbedded(join(folder, 'data'), join(folder, 'backups'), ignore)
  expect(await removeOldBackups(join(folder, 'backups'), 1)).toEqual([made.folder])
  expect(await listBackups(join(folder, 'backups'))).toEqual([next.folder])
})
