import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/test-database.ts'
import { connectDatabase, type Db } from '../database/database.ts'
import { beginGap, type Gap } from './gaps.ts'
import { createHistoryWatch, type HistoryWatch } from './history-watch.ts'
import { connectionOf, moveMark, type NewConnection } from './mark.ts'
import { openMarkFile } from './mark-file.ts'

let database: TestDatabase
let folder: string
let raised: Gap[]
const open: { watch: HistoryWatch; db: Db }[] = []

beforeEach(async () => {
  database = await createTestDatabase()
  folder = await mkdtemp(join(tmpdir(), 'makola-history-'))
  raised = []
})
afterEach(async () => {
  for (const { watch, db } of open.splice(0)) {
    watch.stop()
    await db.destroy()
  }
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})

/** Starts a history watch with its own pool and the same folder, as another process would. */
async function start(log = pino({ level: 'silent' })): Promise<HistoryWatch> {
  const db: Db = connectDatabase({
    url: database.applicationUrl,
    poolSize: 2,
    applicationName: 'watched',
    onConnect: (client) => watch.compareConnection(client),
  })
  const watch = createHistoryWatch({
    db,
    log,
    name: 'test',
    file: openMarkFile(folder),
    raiseAlarm: async (_db, gap) => void raised.push(gap),
  })
  await watch.begin()
  open.push({ watch, db })
  return watch
}

const readFileOf = async () => {
  const { database_id: id } = await database.db.selectFrom('history_mark').select('database_id').executeTakeFirstOrThrow()
  return join(folder, 'history', `${id}.json`)
}

/** A connection to the database, whose state of history differs in one point. */
const seenAs = (difference: object): NewConnection => ({
  async query(text, values) {
    const { rows } = await connectionOf(database.db).query(text, values)
    return { rows: rows.map((row) => ({ ...(row as object), ...difference })) }
  },
})

test('a fresh folder holds nothing, and the mark grows with each look', async () => {
  const watch = await start()
  expect(watch.isSalesStopped()).toBe(false)
  const first = (await moveMark(database.db)).mark?.position ?? 0
  expect((await moveMark(database.db)).mark?.position).toBe(first + 1)
  expect(JSON.parse(await readFile(await readFileOf(), 'utf8'))).toMatchObject({ position: expect.any(Number) })
})

test('a mark behind the one in the folder holds, writes the gap and raises the alarm; after the acceptance all goes on', async () => {
  ;(await start()).stop()
  for (let move = 0; move < 5; move += 1) await moveMark(database.db)
  ;(await start()).stop()
  await sql`update history_mark set position = position - 3`.execute(database.db)
  const watch = await start()
  expect(watch.isSalesStopped()).toBe(true)
  expect(raised).toMatchObject([{ noticedBy: 'test', acceptedAt: null }])
  await sql`update history_gaps set accepted_at = clock_timestamp(), accepted_by = 'two people'`.execute(database.db)
  await expect.poll(() => watch.isSalesStopped(), { timeout: 10_000 }).toBe(false)
  expect((await start()).isSalesStopped()).toBe(false)
})

test('a gap that was accepted while a process was away gets what that process knows, whatever the clocks say', async () => {
  const watch = await start()
  const reported: string[] = []
  watch.onGap(async ({ id }) => void reported.push(id))
  watch.stop()
  const gap = await beginGap(database.db, { noticedBy: 'ama', reason: 'restored' })
  await sql`update history_gaps set accepted_at = now() - interval '1 year', accepted_by = 'two people'`.execute(database.db)
  await sql`update history_mark set position = 0`.execute(database.db)
  await watch.compareConnection(seenAs({}))
  expect(watch.isSalesStopped()).toBe(true)
  await watch.checkNow()
  expect({ reported, isHeld: watch.isSalesStopped() }).toEqual({ reported: [gap.id], isHeld: false })
  // The process's file holds the accepted gap. So a later loss is noticed, although the time of the acceptance is later still.
  await sql`update history_gaps set accepted_at = now() + interval '1 year'`.execute(database.db)
  await sql`update history_mark set position = 0`.execute(database.db)
  expect((await start()).isSalesStopped()).toBe(true)
})

test('a former leader that lacks something holds only until the present one answers', async () => {
  const watch = await start()
  await watch.compareConnection(seenAs({ position: -1 }))
  expect(watch.isSalesStopped()).toBe(true)
  // The watch also looks by its own timer. Where such a look is under way, `checkNow` waits for it, and it may have asked too early.
  await expect.poll(() => watch.checkNow().then(() => watch.isSalesStopped())).toBe(false)
  expect(raised).toEqual([])
})

test('what processes left that died while they wrote is removed', async () => {
  const remains = join(folder, 'history', 'old.half')
  await mkdir(join(folder, 'history'))
  await writeFile(remains, '{')
  await utimes(remains, 1, 1)
  await start()
  expect(await readdir(join(folder, 'history'))).toEqual([expect.stringMatching(/\.json$/)])
})

test('a mark of a server start that the database does not know holds', async () => {
  ;(await start()).stop()
  await sql`delete from history_lines`.execute(database.ownerDb)
  expect((await start()).isSalesStopped()).toBe(true)
})

test('a mark that a later line has overtaken holds, however far the line has come', async () => {
  ;(await start()).stop()
  const file = await readFileOf()
  const mark = JSON.parse(await readFile(file, 'utf8'))
  await writeFile(file, JSON.stringify({ ...mark, position: mark.position + 1 }))
  await sql`insert into history_lines (line, began_after, began_after_at) select 'later', position, moved_at from history_mark`.execute(
    database.db,
  )
  await sql`update history_mark set position = position + 1000`.execute(database.db)
  expect((await start()).isSalesStopped()).toBe(true)
})

test('a gap that another process or a person began holds every process', async () => {
  const watch = await start()
  await beginGap(database.db, { noticedBy: 'ama', reason: 'restored' })
  await expect.poll(() => watch.isSalesStopped(), { timeout: 10_000 }).toBe(true)
  expect((await start()).isSalesStopped()).toBe(true)
})

test('a loss that a comparison finds on a new server holds before the connection is used, and is not looked for on the same one', async () => {
  const watch = await start()
  let looks = 0
  watch.onNewServer(() => {
    looks += 1
    return Promise.resolve('an order is missing')
  })
  await watch.compareConnection(seenAs({}))
  expect({ looks, isHeld: watch.isSalesStopped() }).toEqual({ looks: 0, isHeld: false })
  await watch.compareConnection(seenAs({ line: 'another start' }))
  expect({ looks, isHeld: watch.isSalesStopped() }).toEqual({ looks: 1, isHeld: true })
})

test('another database in the same folder is not compared, and the log says so', async () => {
  ;(await start()).stop()
  await sql`update history_mark set database_id = gen_random_uuid(), position = 0`.execute(database.ownerDb)
  const lines: string[] = []
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) })
  expect((await start(log)).isSalesStopped()).toBe(false)
  expect(lines.join()).toContain('remembers the history of another database')
})
