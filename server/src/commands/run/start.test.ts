import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { access, mkdtemp, readFile, rm } from 'node:fs/promises'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { openBrowser } from '../../../test/open-browser.ts'
import { untilTrue } from '../../../test/patience.ts'
import { programEnvironment } from '../../../test/program-environment.ts'

const entry = fileURLToPath(new URL('../../../bin/makola.js', import.meta.url))

type Running = {
  child: ChildProcess
  output: () => string
  api: string
  tryNext: string[]
  ended: Promise<number | null>
}

/** The first test makes this folder; later tests start on what it left there. */
let dataDir: string
let folder: string
let started: ChildProcess[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'makola-start-'))
  dataDir = join(folder, 'data')
})
afterEach(async () => {
  for (const child of started) child.kill('SIGKILL')
  started = []
  await until(
    async () => !(await isDatabaseUp()),
    () => 'the database has stopped',
  )
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** @param what called when the time is over, so that its text can show what was seen until then */
const until = (holds: () => boolean | Promise<boolean>, what: () => string): Promise<void> =>
  untilTrue(holds, () => `waited in vain until ${what()}`)

const isDatabaseUp = () =>
  access(join(dataDir, 'postgres', 'postmaster.pid')).then(
    () => true,
    () => false,
  )

function spawnStart(added: Record<string, string> = {}): {
  child: ChildProcess
  output: () => string
  ended: Promise<number | null>
} {
  const env = { ...programEnvironment(), DATA_DIR: dataDir, PORT: '0', ...added }
  const child = spawn(process.execPath, [entry, 'start'], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  started.push(child)
  let text = ''
  child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (text += chunk.toString()))
  return { child, output: () => text, ended: new Promise((resolve) => child.once('exit', resolve)) }
}

async function start(): Promise<Running> {
  const spawned = spawnStart()
  await until(
    () => spawned.output().includes('makola is ready') || spawned.child.exitCode !== null,
    () => `ready:\n${spawned.output()}`,
  )
  const line = spawned
    .output()
    .split('\n')
    .find((each) => each.includes('makola is ready'))
  if (!line) throw new Error(`makola did not start:\n${spawned.output()}`)
  const { api, tryNext } = JSON.parse(line) as { api: string; tryNext: string[] }
  return { ...spawned, api, tryNext }
}

type Answer = { status: number; body: { data?: { status?: string } } }

async function call(running: Running, method: string, path: string, body?: unknown): Promise<Answer> {
  const { standard } = JSON.parse(await readFile(join(dataDir, 'demo-keys.json'), 'utf8')) as { standard: string }
  const ca = await readFile(join(dataDir, 'tls', 'ca.pem'))
  return new Promise((resolve, reject) => {
    const headers = { authorization: standard, 'content-type': 'application/json' }
    const asking = request(`${running.api}${path}`, { method, ca, headers, agent: false }, (response) => {
      let text = ''
      response.on('data', (chunk: Buffer) => (text += chunk.toString()))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: JSON.parse(text) as Answer['body'] }))
    })
    asking.on('error', reject)
    asking.end(body === undefined ? undefined : JSON.stringify(body))
  })
}

/** The children of a process, by command. */
function childrenOf(pid: number): { pid: number; command: string }[] {
  const listing = execFileSync('ps', ['-e', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' })
  return listing
    .split('\n')
    .map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line))
    .flatMap((found) => (found && Number(found[2]) === pid ? [{ pid: Number(found[1]), command: found[3] ?? '' }] : []))
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

test('a first start sells and delivers a bundle, and SIGTERM ends every process and the database', async () => {
  const running = await start()
  const reference = 'first-start'
  const placed = await call(running, 'POST', '/data/purchase', {
    network: 'MTN',
    volume_gb: 1,
    recipient: '0241234567',
    reference,
  })
  expect(placed.status).toBe(200)
  await until(
    async () => (await call(running, 'GET', `/orders/${reference}`)).body.data?.status === 'completed',
    () => 'the order is completed',
  )

  const children = childrenOf(running.child.pid ?? 0)
  // API, worker, simulator and the database server.
  expect(children).toHaveLength(4)
  running.child.kill('SIGTERM')
  expect(await running.ended).toBe(0)
  expect(children.filter((child) => isAlive(child.pid))).toEqual([])
  expect(await isDatabaseUp()).toBe(false)
})

test('a log of a first start says what to try next, as a line for the shell that keeps the key out of the log', async () => {
  const running = await start()
  const { standard } = JSON.parse(await readFile(join(dataDir, 'demo-keys.json'), 'utf8')) as { standard: string }
  expect(running.output()).not.toContain(standard)
  const [buy = ''] = running.tryNext
  expect(buy).toMatch(/^curl /)
  // The shell writes the words of the line, one on each line, instead of calling curl with them.
  const PATH = `${dirname(process.execPath)}:${process.env['PATH']}`
  const words = execFileSync('sh', ['-c', buy.replace('curl', String.raw`printf '%s\n'`)], { encoding: 'utf8', env: { PATH } })
  expect(words.split('\n')).toEqual(
    expect.arrayContaining([join(dataDir, 'tls/ca.pem'), `Authorization: ${standard}`, `${running.api}/data/purchase`]),
  )
  const lines = running.output().trim().split('\n')
  const ofOneForm = /^\{"level":"[a-z]+","time":"\d{4}-[^"]+Z","role":"(start|api|worker|simulator)",.+\}$/
  expect(lines.filter((line) => !ofOneForm.test(line))).toEqual([])
})

test('the started program draws a statement for a person who has signed in', async () => {
  const running = await start()
  const { reseller } = JSON.parse(await readFile(join(dataDir, 'demo-sign-ins.json'), 'utf8')) as { reseller: object }
  const browser = await openBrowser({ url: new URL(running.api).origin, dataDir })
  expect((await browser.ask('POST', '/app/api/sign-in', reseller)).status).toBe(200)
  const month = new Date().toISOString().slice(0, 7)
  const { status, type, bytes } = await browser.download(`/app/api/wallet/statement.pdf?purse=main&month=${month}`)
  expect([status, type, bytes.subarray(0, 5).toString()]).toEqual([200, 'application/pdf', '%PDF-'])
  await browser.close()
})

test('a second start in the same DATA_DIR is refused by name and harms nothing', async () => {
  const running = await start()
  const second = spawnStart()
  expect(await second.ended).toBe(1)
  expect(second.output()).toContain(`Another \`makola start\` already runs in ${dataDir}.`)
  expect((await call(running, 'GET', '/wallet/balance')).status).toBe(200)
})

test('a crashed API is started again', async () => {
  const running = await start()
  const api = childrenOf(running.child.pid ?? 0).find((child) => child.command.includes('makola.js api'))
  if (!api) throw new Error('the API does not run')
  process.kill(api.pid, 'SIGKILL')
  await until(
    () => !isAlive(api.pid),
    () => 'the API is gone',
  )
  await until(
    async () => (await call(running, 'GET', '/wallet/balance').catch(() => undefined)) !== undefined,
    () => 'the API answers again',
  )
  expect((await call(running, 'GET', '/wallet/balance')).status).toBe(200)
})

test('when the parent is killed its children and the database stop by themselves, and the next start finds the old orders', async () => {
  const running = await start()
  const reference = 'before-the-kill'
  await call(running, 'POST', '/data/purchase', { network: 'MTN', volume_gb: 1, recipient: '0241234567', reference })
  const children = childrenOf(running.child.pid ?? 0)
  running.child.kill('SIGKILL')
  await until(
    () => children.every((child) => !isAlive(child.pid)),
    () => 'the children are gone',
  )
  const again = await start()
  expect((await call(again, 'GET', `/orders/${reference}`)).status).toBe(200)
})

test('kill -9 of every process, the database too, is recovered by the next start', async () => {
  const running = await start()
  const reference = 'before-the-crash'
  await call(running, 'POST', '/data/purchase', { network: 'MTN', volume_gb: 1, recipient: '0241234567', reference })
  const postmaster = Number((await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')[0])
  const children = childrenOf(running.child.pid ?? 0)
  for (const pid of [running.child.pid ?? 0, ...children.map((child) => child.pid), postmaster]) process.kill(pid, 'SIGKILL')
  const again = await start()
  expect((await call(again, 'GET', `/orders/${reference}`)).status).toBe(200)
})

test('as text the log has a sentence a line, none per request, and what to try comes after all that is ready', async () => {
  // This text is printed only for a new database, so the test has its own folder.
  dataDir = join(folder, 'other-data')
  const { child, output, ended } = spawnStart({ LOG_FORMAT: 'text', DEMO: 'empty' })
  await until(
    () => output().includes('Stop with Ctrl-C.') || child.exitCode !== null,
    () => `ready:\n${output()}`,
  )
  const [before = '', banner = ''] = output().split('\n  Makola is ready after ')
  for (const sentence of ['start      the database was migrated', 'worker     worker is ready', 'api        api is ready'])
    expect(before).toMatch(new RegExp(`^\\d\\d:\\d\\d:\\d\\d  ${sentence}`, 'm'))
  const api = /API +(\S+)/.exec(banner)?.[1] ?? ''
  const { reseller, operator } = JSON.parse(await readFile(join(dataDir, 'demo-sign-ins.json'), 'utf8'))
  expect(banner).toMatch(/App +https:\/\/\S+\/app\n/)
  for (const [face, { email, password }] of [
    ['app', reseller],
    ['desk', operator],
  ] as const) {
    expect(banner).toMatch(new RegExp(`/${face} +${email} +${password}\\n`))
  }
  expect((await call({ child, output, ended, api, tryNext: [] }, 'GET', '/wallet/balance')).status).toBe(200)
  child.kill('SIGTERM')
  expect(await ended).toBe(0)
  expect(output()).toContain('makola has stopped')
  expect(output()).not.toMatch(/ {2}request {2}/)
})
