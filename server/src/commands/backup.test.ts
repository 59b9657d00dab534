import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, it, vi } from 'vitest'
import { setUpCommandLine } from '../../test/set-up-command-line.ts'
import { allCommands } from '../all-commands.ts'
import { findBackupTroubles } from '../platform/backups/backups.ts'
import { backupTimer } from '../timers/storage-timers.ts'

const desk = setUpCommandLine(allCommands)
const { run, json } = desk
const silent = { error: () => undefined, info: () => undefined }

/** Runs a command that shows its progress on stderr. Returns the JSON document from stdout. */
const document = async (...words: string[]) => JSON.parse((await run(...words, '--json')).stdout) as Record<string, unknown>

const watch = () => backupTimer(desk.db, silent).run()
const openAlarms = () =>
  desk.db.selectFrom('alarms').select('subject').where('name', '=', 'backup_old').where('cleared_at', 'is', null).execute()

it('the simulator needs no backup; with real money an alarm and exit code 1 ask for one', async () => {
  await watch()
  expect(await openAlarms()).toEqual([])
  expect(await json('backup', 'status')).toMatchObject({ ok: true, backups: [], problems: [] })
  await desk.database.ownerDb.insertInto('installation').values({ mode: 'live' }).execute()
  await watch()
  expect(await openAlarms()).toEqual([{ subject: 'backup' }])
  const status = await run('backup', 'status')
  expect(status).toMatchObject({ exitCode: 1, stdout: expect.stringContaining('No backup of the database is known.') })
})

it('a backup that was told of clears the alarm until it is older than backup_alarm_hours', async () => {
  await run('backup', 'note', '--kind', 'pgbackrest', '--place', 'repo1', '--bytes', '5000000')
  await watch()
  expect(await openAlarms()).toEqual([])
  const status = await run('backup', 'status')
  expect(status).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/pgbackrest +5\.0 MB +repo1/) })
  await sql`update backups set made_at = made_at - interval '27 hours'`.execute(desk.database.ownerDb)
  expect(await findBackupTroubles(desk.db)).toEqual([
    { subject: 'backup', message: expect.stringContaining('27 hours old (pgbackrest, repo1)') },
  ])
  await run('setting', 'set', 'backup_alarm_hours', '0', '--reason', 'another system watches')
  expect(await findBackupTroubles(desk.db)).toEqual([])
})

it('what cannot be is refused: a backup of the future, another name, and copying a server that is not ours', async () => {
  const note = (...words: string[]) => run('backup', 'note', '--place', 'x', ...words)
  expect(await note('--kind', 'pg_dump', '--at', '2099-01-01')).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('future'),
  })
  expect(await note('--kind', 'PG DUMP')).toMatchObject({ exitCode: 2 })
  expect(await run('backup', '--to', desk.folder)).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('pgBackRest') })
})

it('the embedded database is backed up and restored on another machine, where nothing is sold until two people go on', async () => {
  vi.stubEnv('DATABASE_URL', '')
  vi.stubEnv('DATA_DIR', join(desk.folder, 'shop'))
  await run('migrate')
  const made = await document('backup', '--to', join(desk.folder, 'backups'), '--keep', '1')
  expect(await json('backup', 'status')).toMatchObject({
    backups: [{ kind: 'makola', place: made['folder'], bytes: made['bytes'] }],
  })
  vi.stubEnv('DATA_DIR', join(desk.folder, 'other-machine'))
  expect(await document('backup', 'restore', String(made['folder']))).toMatchObject({ restored: true, is_held: true })
  expect(await json('history', 'show')).toMatchObject({ is_held: true, gap: { reason: expect.stringContaining('was restored') } })
  const again = await run('backup', 'restore', String(made['folder']))
  expect(again).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('nothing is overwritten') })
})
