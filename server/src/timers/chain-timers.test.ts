import { appendFile, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startMailServer } from '../../test/servers/start-mail-server.ts'
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts'
import { untilTransactionsEnd } from '../../test/until-transactions-end.ts'
import { clearAlarms } from '../notices/clear-alarm.ts'
import { appendHeads, headsFile, readHeadsFile } from '../platform/chains/recorded-heads.ts'
import { sealChain } from '../platform/chains/seal-chain.ts'
import { verifyChain } from '../platform/chains/verify-chain.ts'
import { operatorLogChain } from '../platform/operator-log/operator-log-chain.ts'
import { chainTimers, createChainCheck, watchChains } from './chain-timers.ts'
import { sendChainHeads } from './send-chain-heads.ts'

const log = pino({ level: 'silent' })
const noChannels = { email: '', webhookUrl: '', smtpUrl: undefined, publicUrl: 'https://shop.example.com' }
let database: TestDatabase
let dataDir: string
beforeAll(async () => {
  database = await createTestDatabase()
  dataDir = await mkdtemp(join(tmpdir(), 'makola-chains-'))
})
afterAll(async () => {
  await database.drop()
  await rm(dataDir, { recursive: true })
})

const timersOf = () => chainTimers(database.db, log, { dataDir, readChannels: () => Promise.resolve(noChannels) })

const openAlarms = async () => {
  const alarms = database.db.selectFrom('alarms').select(['name', 'subject']).where('cleared_at', 'is', null)
  return (await alarms.execute()).map(({ name, subject }) => `${name} ${subject}`)
}

it('a chain that is more than an hour behind raises an alarm, which clears when it has caught up', async () => {
  await watchChains(database.db, log)
  expect(await openAlarms()).toEqual([])
  await sql`update chain_states set sealed_through_at = now() - interval '61 minutes' where chain = 'transfers'`.execute(
    database.db,
  )
  await watchChains(database.db, log)
  expect(await openAlarms()).toEqual(['chain_behind transfers'])
  const timers = timersOf()
  // The timers run twice. The first round only sets a mark; the second one sees that all transactions before the mark
  // have ended, and moves `sealed_through_at` to the mark.
  for (const round of [timers, timers]) {
    await untilTransactionsEnd(database.db)
    for (const timer of round) await timer.run()
  }
  expect(await openAlarms()).toEqual([])
})

it('the worker’s timers seal what was written', async () => {
  await sql`insert into operator_log (actor, action, subject) values ('ama', 'test', 'x')`.execute(database.db)
  await untilTransactionsEnd(database.db)
  for (const timer of timersOf()) await timer.run()
  expect(await verifyChain(database.db, operatorLogChain)).toMatchObject({ rows: 1, finding: null })
})

it('a row that was changed is found without anybody asking, and the alarm names it', async () => {
  for (let no = 0; no < 6; no += 1) {
    await sql`insert into operator_log (actor, action, subject) values ('ama', 'test', 'x')`.execute(database.db)
    await untilTransactionsEnd(database.db)
    await sealChain(database.db, operatorLogChain, { restSeconds: 0 })
  }
  const check = createChainCheck(database.db, log, { file: headsFile(dataDir), blocksMax: 2 })
  const rounds = async (count: number) => {
    for (let no = 0; no < count; no += 1) await check()
  }
  const setActor = (actor: string) =>
    database.ownerDb.transaction().execute(async (tx) => {
      await sql`alter table operator_log disable trigger user`.execute(tx)
      await sql`update operator_log set actor = ${actor} where id = (select max(id) from operator_log)`.execute(tx)
      await sql`alter table operator_log enable trigger user`.execute(tx)
    })
  await rounds(5)
  expect(await openAlarms()).toEqual([])
  await setActor('nobody')
  await rounds(5)
  expect(await openAlarms()).toEqual(['chain_broken operator_log'])
  const { message } = await database.db
    .selectFrom('alarms')
    .select('message')
    .where('name', '=', 'chain_broken')
    .executeTakeFirstOrThrow()
  expect(message).toMatch(
    /^History was changed: line \d+ of block \d+, sealed at \d+ \w+ \d{4}, \d\d:\d\d GMT, was altered after it was sealed\./,
  )
  await setActor('ama')
  await clearAlarms(database.db, 'chain_broken', [])
  await rounds(5)
  expect(await openAlarms()).toEqual([])
})

it('the heads are added to a file once a day, and to each channel of the alerts, which is tried again when it fails', async () => {
  const file = headsFile(dataDir)
  await rm(file, { force: true })
  await appendHeads(database.db, file)
  const { heads } = await readHeadsFile(file)
  expect(heads).toEqual([{ chain: 'operator_log', blockNo: expect.any(Number) as number, hash: expect.any(String) as string }])
  await appendHeads(database.db, file)
  expect((await readHeadsFile(file)).heads).toHaveLength(1)
  const [line = ''] = (await readFile(file, 'utf8')).split('\n')
  const head = line.split(' ')[1] ?? ''

  const mailServer = await startMailServer()
  // Nothing listens at the webhook's address.
  const webhookUrl = 'https://127.0.0.1:1/'
  const channels = { email: 'owner@example.com', webhookUrl, smtpUrl: mailServer.url, publicUrl: 'https://shop.example.com' }
  for (let day = 0; day < 2; day += 1) {
    await sendChainHeads(database.db, channels)
    await sendChainHeads(database.db, channels)
    expect(mailServer.mails).toHaveLength(day + 1)
    await sql`update chain_heads_sent set sent_at = sent_at - interval '1 day'`.execute(database.db)
  }
  // Long lines of a mail are broken with `=`.
  expect(mailServer.mails.join('').replaceAll(/=\r?\n/g, '')).toContain(head)
  const { rows } = await sql<{ channel: string }>`select channel from chain_heads_sent`.execute(database.db)
  expect(rows).toEqual([{ channel: 'email' }])
  await mailServer.close()
})

it('a newest block that was cut off raises an alarm, though all that is left follows from the block before', async () => {
  const file = headsFile(dataDir)
  const { heads } = await readHeadsFile(file)
  const newest = heads.at(-1)?.blockNo ?? 0
  expect(newest).toBeGreaterThan(1)
  await database.ownerDb.transaction().execute(async (tx) => {
    await sql`alter table chain_blocks disable trigger user`.execute(tx)
    await sql`delete from chain_blocks where chain = 'operator_log' and block_no = ${newest}`.execute(tx)
    await sql`alter table chain_blocks enable trigger user`.execute(tx)
  })
  expect((await verifyChain(database.db, operatorLogChain)).finding).toBeNull()
  await createChainCheck(database.db, log, { file })()
  expect(await openAlarms()).toEqual(['chain_broken operator_log'])
})

it('a line of the file that is no head is named, not passed over', async () => {
  const file = headsFile(dataDir)
  await appendFile(file, '2026-11-23T00:00:00.000Z operator_log:1:beef\n')
  await expect(readHeadsFile(file)).rejects.toThrow(/line 2 of .* is not a moment and a head/)
})
