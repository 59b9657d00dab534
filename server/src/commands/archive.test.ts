import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import { makeAccount } from '../../test/make-account.ts'
import { setUpCommandLine } from '../../test/set-up-command-line.ts'
import { allAuditChecks } from '../all-audit-checks.ts'
import { allCommands } from '../all-commands.ts'
import { archiveAfterMonths } from '../archive/archive.settings.ts'
import { monthName, sealAndCount, writeOldSales } from '../archive/old-sales.fixture.ts'
import { numberMonths } from '../platform/platform.settings.ts'
import { writeSetting } from '../platform/settings/settings.ts'
import { putDueMonthsAway } from '../timers/storage-timers.ts'

const desk = setUpCommandLine(allCommands, { SECRETS_KEY: randomBytes(32).toString('base64') })
const { run, json } = desk

let accountId: string
beforeAll(async () => {
  accountId = (await makeAccount(desk.db)).accountId
  await writeOldSales(desk.database.ownerDb, accountId)
  await sealAndCount(desk.db)
})

/** Moves the writing of the files into the past, as if the seven days of waiting were over. */
const letWait = () => sql`update put_away_months set written_at = written_at - interval '8 days'`.execute(desk.database.ownerDb)

const month = monthName(10)
const logged: unknown[] = []
const log = { info: (line: unknown) => void logged.push(line), warn: (line: unknown) => void logged.push(line) }
const workerRound = () => putDueMonthsAway({ db: desk.db, archiveDir: `${desk.folder}/archive`, checks: allAuditChecks, log })

it('`archive --before` writes a month, and a week later drops its rows; `list`, `verify`, `order show` and `find` tell of it', async () => {
  expect((await run('archive', 'list')).stdout).toBe('No month is put away.\n')
  expect(await json('archive', '--before', monthName(9))).toEqual({ months: [{ month, state: 'written' }] })
  expect((await run('archive', '--before', monthName(9))).stdout).toContain(
    `${month}: in files; a worker drops its rows from the database 7 days after`,
  )
  await letWait()
  expect(await json('archive', '--before', monthName(9))).toEqual({ months: [{ month, state: 'put_away' }] })
  const folder = `${desk.folder}/archive/${month}`
  expect(await json('archive', 'list')).toMatchObject({
    months: [{ month, state: 'put_away', folder, rows: { transfers: 45, order_events: 84, attempts: 40, attempt_answers: 40 } }],
  })
  expect((await run('archive', 'list')).stdout).toMatch(new RegExp(`${month} +209 +\\d+ kB +put away .*${folder}`))
  await sealAndCount(desk.db)
  expect(await json('archive', 'verify', month)).toEqual({ ok: true, month, rows: 209 })
  const where = `put away in ${month}, in ${folder}`
  expect((await run('order', 'show', 'old-10-5')).stdout).toContain(`moves, attempts and money: ${where}`)
  expect((await run('find', 'old-10-5')).stdout).toContain(`its history is ${where}`)
  expect((await run('find', 'old-10-3')).stdout).not.toContain('put away')
})

it('a statement of the month is refused with the reason, and the next one is given', async () => {
  const refused = await run('wallet', 'statement', '--account', accountId, '--month', month)
  expect(refused).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('`makola archive bring-back` reads it in again') })
  expect((await run('wallet', 'statement', '--account', accountId, '--month', monthName(9))).stdout).toContain('They add up.')
})

it('a bring-back that was broken off leaves the month put away, to people alone, and `list` says which command goes on', async () => {
  await sql`select begin_bringing_back(${`${month}-01`})`.execute(desk.db)
  await writeSetting(desk.db, archiveAfterMonths, 9, 'test')
  await workerRound()
  await writeSetting(desk.db, archiveAfterMonths, 0, 'test')
  expect((await run('archive', 'list')).stdout).toMatch(
    new RegExp(`being brought back .*\n${month}: it counts as put away .* \`makola archive bring-back ${month}\` again`),
  )
  expect(await json('archive', 'verify', month)).toEqual({ ok: true, month, rows: 209 })
})

it('a worker puts nothing away until the setting says so, and never what was brought back', async () => {
  const back = await run('archive', 'bring-back', month)
  expect(back.stderr).toContain(`${month} stays put away and nothing is lost: run the same command again`)
  expect(back.stdout).toContain(`${month} is back in the database, with 209 rows.`)
  await workerRound()
  await writeSetting(desk.db, archiveAfterMonths, 8, 'test')
  await workerRound()
  await letWait()
  await workerRound()
  expect(logged).toEqual([
    { month: monthName(9), state: 'written' },
    { month: monthName(9), state: 'put_away' },
  ])
  expect(await json('archive', 'list')).toMatchObject({ months: [{ month: monthName(9), state: 'put_away' }] })
})

it('wrong months are refused', async () => {
  expect(await run('archive', '--before', '2025-13')).toMatchObject({ exitCode: 2 })
  expect(await run('archive', 'verify', month)).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining(`${month} is not put away.`),
  })
  await writeSetting(desk.db, numberMonths, 24, 'test')
  const young = await run('archive', '--before', '2099-01')
  expect(young).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('the numbers of its orders are forgotten first') })
  expect((await run('archive')).exitCode).not.toBe(0)
})
