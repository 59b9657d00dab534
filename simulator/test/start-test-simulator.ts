import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Effect } from '../src/effects/open-effect-log.ts'

const program = fileURLToPath(new URL('../../server/bin/simulator.js', import.meta.url))
const startTimeoutMilliseconds = 150_000

/** Very long, because a test never checks speed: it fails only when the thing never happens. */
const patienceMilliseconds = 150_000

/** A time of the simulator's behaviour that is not over before the test is, however slow the machine. */
export const anHour = 3_600_000

export type Json = Record<string, unknown>
export type Answered = { readonly status: number; readonly headers: Headers; readonly text: string; readonly json: Json }

/** A simulator in a process and a folder of its own. */
export type TestSimulator = {
  readonly dataDir: string
  url(): string
  child(): ChildProcess
  /** Lines of its log so far, over all starts. */
  logLines(): string[]
  /** Starts it again on the same folder. */
  start(): Promise<void>
  kill(signal: NodeJS.Signals): Promise<void>
  request(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answered>
  buy(ref: string, phoneNumber: string, changes?: Json): Promise<Answered>
  status(ref: string): Promise<Answered>
  effects(query?: string): Promise<Effect[]>
  behave(change: Json): Promise<void>
}

function spawnSimulator(dataDir: string, environment: Record<string, string>, onLine: (line: string) => void): ChildProcess {
  const child = spawn(process.execPath, [program], {
    env: {
      PATH: process.env.PATH,
      // What makes programs start faster, see `vitest.config.ts`.
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      DATA_DIR: dataDir,
      SIMULATOR_TIME_SCALE: '0.1',
      SIMULATOR_CALLBACK_BASE_URL: 'http://127.0.0.1:9',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  if (child.stdout) createInterface(child.stdout).on('line', onLine)
  return child
}

async function endProcess(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill(signal)
  await exited
}

/** Sends a request as a buyer of DataMart does, to the simulator's present address. */
function requestTo(url: () => string): TestSimulator['request'] {
  return async (method, path, body, headers = {}) => {
    const response = await fetch(`${url()}${path}`, {
      method,
      headers: {
        'x-api-key': 'simulated-datamart-key',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, text, json: readJson(text) }
  }
}

/** Starts a simulator with short waiting times; `environment` adds variables to those that it gets. */
export async function startTestSimulator(environment: Record<string, string> = {}): Promise<TestSimulator & AsyncDisposable> {
  const dataDir = await mkdtemp(join(tmpdir(), 'makola-simulator-'))
  const lines: string[] = []
  let child: ChildProcess
  let url = ''

  async function start(): Promise<void> {
    child = spawnSimulator(dataDir, environment, (line) => lines.push(line))
    url = await readUrl(dataDir, child)
  }

  await start()
  const request = requestTo(() => url)
  return {
    dataDir,
    url: () => url,
    child: () => child,
    logLines: () => lines,
    start,
    kill: (signal) => endProcess(child, signal),
    request,
    buy: (ref, phoneNumber, changes = {}) =>
      request(
        'POST',
        '/datamart/api/developer/purchase',
        { phoneNumber, network: 'YELLO', capacity: '1', gateway: 'wallet', ref, ...changes },
        { 'x-idempotency-key': ref },
      ),
    status: (ref) => request('GET', `/datamart/api/developer/order-status/${encodeURIComponent(ref)}`),
    effects: async (query = '') => (await request('GET', `/effects${query}`)).json.effects as Effect[],
    behave: async (change) => {
      const { status, text } = await request('POST', '/control/behaviour', { datamart: change })
      if (status !== 200) throw new Error(text)
    },
    [Symbol.asyncDispose]: async () => {
      await endProcess(child, 'SIGKILL')
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** Asks again until `isTrue` holds. @throws Error with the last answer when the patience is over */
export async function eventually<T>(ask: () => Promise<T> | T, isTrue: (answer: T) => boolean): Promise<T> {
  const deadline = Date.now() + patienceMilliseconds
  for (;;) {
    const answer = await ask()
    if (isTrue(answer)) return answer
    if (Date.now() > deadline) throw new Error(`did not come true: ${JSON.stringify(answer)}`)
    await wait(20)
  }
}

async function readUrl(dataDir: string, child: ChildProcess): Promise<string> {
  const deadline = Date.now() + startTimeoutMilliseconds
  while (Date.now() < deadline) {
    if (child.exitCode !== null) throw new Error(`the simulator ended with ${child.exitCode}`)
    const text = await readFile(join(dataDir, 'simulator.json'), 'utf8').catch(() => '{}')
    const address = JSON.parse(text) as { url?: string; pid?: number }
    if (address.url && address.pid === child.pid) return address.url
    await wait(20)
  }
  throw new Error('the simulator did not start in time')
}

function readJson(text: string): Json {
  try {
    return JSON.parse(text) as Json
  } catch {
    return {}
  }
}
