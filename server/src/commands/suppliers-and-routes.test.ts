import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { describe, expect, it, vi } from 'vitest'
import { setUpCommandLine } from '../../test/set-up-command-line.ts'
import { allCommands } from '../all-commands.ts'

const desk = setUpCommandLine(allCommands, {
  SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
})
const { run, json } = desk

describe('makola supplier', () => {
  it('lists the suppliers without their secrets, and changes one', async () => {
    const keyFile = join(desk.folder, 'key.txt')
    await writeFile(keyFile, 'a-very-secret-key\n')
    const words = ['slots=8', 'requests_per_second=2', `credentials.apiKey=@${keyFile}`, 'enabled=false']
    const changed = { name: 'datamart', adapter: 'datamart', enabled: false, slots: 8, requests_per_second: 2 }
    const wanted = { suppliers: [{ ...changed, credentials_set: ['apiKey'], credentials_missing: ['webhookSecret'] }] }
    expect(await json('supplier', 'set', 'datamart', ...words)).toMatchObject(wanted)
    const { suppliers } = (await json('supplier', 'list')) as { suppliers: unknown[] }
    expect(suppliers).toContainEqual(expect.objectContaining(wanted.suppliers[0]))
    const { stdout } = await run('supplier', 'list')
    expect(stdout).toMatch(/datamart \(datamart\): disabled/)
    expect(stdout).not.toContain('a-very-secret-key')
    await json('supplier', 'set', 'datamart', 'enabled=true', 'requests_per_second=none')
    const logged = await desk.database.ownerDb
      .selectFrom('operator_log')
      .selectAll()
      .where('action', '=', 'supplier set')
      .execute()
    expect(logged).toHaveLength(2)
    expect(JSON.stringify(logged)).not.toContain('a-very-secret-key')
  })

  it('seals nothing with a key that is not the one of this database', async () => {
    await json('supplier', 'list')
    const credentials = () =>
      desk.database.db.selectFrom('suppliers').select('credentials').where('name', '=', 'datamart').executeTakeFirstOrThrow()
    const before = await credentials()
    const given = process.env['SECRETS_KEY']
    vi.stubEnv('SECRETS_KEY', Buffer.alloc(32, 8).toString('base64'))
    const { exitCode, stderr } = await run('supplier', 'set', 'datamart', 'credentials.apiKey=another')
    vi.stubEnv('SECRETS_KEY', given)
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('sealed with another key')])
    expect(await credentials()).toEqual(before)
  })

  it('drops the credentials of another adapter', async () => {
    const set = async (...words: string[]) =>
      ((await json('supplier', 'set', 'spare', ...words)) as { suppliers: [object] }).suppliers[0]
    expect(await set('adapter=datamart', 'credentials.apiKey=for-datamart')).toMatchObject({ credentials_set: ['apiKey'] })
    expect(await set('adapter=datakazina')).toMatchObject({ adapter: 'datakazina', credentials_set: [] })
    expect(await set('adapter=datamart')).toMatchObject({ credentials_set: [] })
  })

  it.each([
    { words: ['supplier', 'set', 'datamart', 'speed=2'], message: /"speed" is not a key/ },
    { words: ['supplier', 'set', 'datamart', 'slots=many'], message: /whole number/ },
    { words: ['supplier', 'set', 'datamart'], message: /key=value/ },
    { words: ['supplier', 'set', 'nobody', 'slots=2'], message: /no adapter "nobody"/ },
  ])('says what is wrong with $words', async ({ words, message }) => {
    const { exitCode, stderr } = await run(...words)
    expect(exitCode).toBe(2)
    expect(stderr).toMatch(message)
  })
})

describe('makola route', () => {
  it('lists, pauses, resumes and adds routes', async () => {
    const name = 'datamart/data/MTN'
    const open = { route: name, state: 'open', reason: null, until: null, priority: 10, supplier_enabled: true }
    const { routes } = (await json('route', 'list')) as { routes: unknown[] }
    expect(routes).toContainEqual(expect.objectContaining(open))
    expect(await json('route', 'pause', name, '--reason', 'prices', '--for', '30')).toMatchObject({
      routes: [{ route: name, state: 'paused', reason: 'operator: prices', until: expect.stringMatching(/Z$/) }],
    })
    expect((await run('route', 'list')).stdout).toMatch(/datamart\/data\/MTN {2}priority 10 {2}paused \(operator: prices\) until/)
    expect(await json('route', 'resume', name)).toMatchObject({ routes: [open] })
    expect(await json('route', 'pause', 'datamart/data')).toMatchObject({
      routes: Array.from({ length: 4 }, () => ({ state: 'paused' })),
    })
    expect(await json('route', 'resume', 'datamart')).toMatchObject({
      routes: Array.from({ length: 4 }, () => ({ state: 'open' })),
    })
    expect(await json('route', 'add', name, '--priority', '5')).toMatchObject({ routes: [{ ...open, priority: 5 }] })
  })

  it.each([
    { words: ['route', 'pause', 'datamart/data/Nowhere'], exitCode: 1, message: /There is no route "datamart\/data\/Nowhere"/ },
    { words: ['route', 'add', 'nobody/data/MTN'], exitCode: 1, message: /There is no supplier "nobody"/ },
    { words: ['route', 'add', 'datamart'], exitCode: 2, message: /SUPPLIER\/PRODUCT\/NETWORK/ },
    { words: ['route', 'pause', 'a/b/c/d'], exitCode: 2, message: /It must be SUPPLIER/ },
    { words: ['route', 'pause', 'datamart', '--for', 'ever'], exitCode: 2, message: /whole number/ },
  ])('says what is wrong with $words', async ({ words, exitCode, message }) => {
    const outcome = await run(...words)
    expect(outcome.exitCode).toBe(exitCode)
    expect(outcome.stderr).toMatch(message)
  })
})
