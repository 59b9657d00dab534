import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { expect } from 'vitest'
import { patienceSeconds, patientCallSeconds } from '../../../../test/patience.ts'
import { retryWhileOverloaded } from '../../../../test/retry-while-busy.ts'
import { type RunningSimulator, startSimulator } from '../../../../test/start-simulator.ts'
import { type Answer, startTestApp, type TestApp } from '../../../../test/start-test-app.ts'
import { allAuditChecks } from '../../../all-audit-checks.ts'
import { readConfig } from '../../../config.ts'
import { runAudit } from '../../../money/audit.ts'
import { connectDatabase } from '../../../platform/database/database.ts'
import type { Setting } from '../../../platform/settings/settings.ts'
import { writeSetting } from '../../../platform/settings/settings.ts'
import { startWorker } from '../../../worker.ts'

export type RegistrationRequest = { readonly server: 1 | 2; readonly what: 'asked' | 'submitted'; readonly at: Date }

/** The API over HTTPS, the simulator in another process, and workers on demand. */
export type RegistrationShop = {
  readonly app: TestApp
  readonly simulator: RunningSimulator
  /** A new MTN number that ends in these digits. The simulator answers by its script for them. */
  number(ending?: string): string
  order(recipient: string, more?: object): Record<string, unknown> & { reference: string; recipient: string }
  buy(key: string, body: unknown): Promise<Answer>
  buyBatch(key: string, orders: readonly unknown[]): Promise<Answer>
  verify(key: string, body: unknown, server?: 1 | 2): Promise<Answer>
  balance(key: string): Promise<number>
  statusOf(key: string, reference: string): Promise<string>
  /** Requests about a number that the servers received, in order. */
  requestsAbout(number: string): Promise<RegistrationRequest[]>
  /** Changes the behaviour of the registration servers. */
  steer(change: object): Promise<void>
  /** Gives the registration servers the behaviour that they had at the start. */
  steerBack(): Promise<void>
  /** Asks both servers live, so that the API knows that both are reachable. */
  endAbsence(key: string): Promise<void>
  /** Changes a setting and waits until every API uses it. */
  set<T>(setting: Setting<T>, value: T): Promise<void>
  startWorker(): Promise<{ stop(): Promise<void> }>
  /** Ends everything. Fails when the audit finds a fault. */
  close(): Promise<void>
}

/** @param timeScale 0.2: a number that ends in 911 is registered one second after its submission */
export async function openRegistrationShop(timeScale = 0.2): Promise<RegistrationShop> {
  const simulator = await startSimulator({ timeScale })
  const app = await startTestApp({ simulatorUrl: simulator.url, simulatorCallSeconds: patientCallSeconds })
  let numbers = 0
  const number = (ending = '000') => `024${String(++numbers).padStart(4, '0')}${ending}`
  return {
    app,
    simulator,
    number,
    ...resellersCalls(app),
    ...serverControls(simulator),
    endAbsence: async (key) => {
      for (const server of [1, 2] as const) {
        expect((await verifyNumber(app, key, { network: 'MTN', recipient: number() }, server)).status).toBe(200)
      }
    },
    set: async (setting, value) => {
      await writeSetting(app.database.db, setting, value, 'test')
      await app.untilSeen()
    },
    startWorker: () => startShopWorker(app, simulator),
    close: async () => {
      const report = await runAudit(app.database.db, allAuditChecks, { isFull: true })
      await app.close()
      await simulator.stop()
      expect(report.checks).toEqual(Object.fromEntries(Object.keys(report.checks).map((name) => [name, 0])))
    },
  }
}

function verifyNumber(app: TestApp, key: string, body: unknown, server?: 1 | 2): Promise<Answer> {
  return app.call('POST', `/data/verify-number${server ? `/server-${server}` : ''}`, { key, body })
}

type ResellersCalls = Pick<RegistrationShop, 'order' | 'buy' | 'buyBatch' | 'verify' | 'balance' | 'statusOf'>

function resellersCalls(app: TestApp): ResellersCalls {
  let references = 0
  return {
    order: (recipient, more = {}) => ({
      network: 'MTN',
      volume_gb: 1,
      recipient,
      reference: `registration-${++references}`,
      ...more,
    }),
    buy: (key, body) => retryWhileOverloaded(() => app.call('POST', '/data/purchase', { key, body })),
    buyBatch: (key, orders) => retryWhileOverloaded(() => app.call('POST', '/data/bulk', { key, body: { orders } })),
    verify: (key, body, server) => verifyNumber(app, key, body, server),
    balance: async (key) => (await app.call('GET', '/wallet/balance', { key })).body.data.balance,
    statusOf: async (key, reference) => (await app.call('GET', `/orders/${reference}`, { key })).body.data.status,
  }
}

function serverControls({ url }: RunningSimulator): Pick<RegistrationShop, 'requestsAbout' | 'steer' | 'steerBack'> {
  async function steer(method: 'POST' | 'DELETE', change?: object): Promise<void> {
    const response = await fetch(`${url}/control/registration`, {
      method,
      ...(change ? { headers: { 'content-type': 'application/json' }, body: JSON.stringify(change) } : {}),
    })
    if (!response.ok) throw new Error(`the simulator refused: ${await response.text()}`)
  }
  return {
    requestsAbout: async (number) => {
      const response = await fetch(`${url}/requests?path=/registration/&reference=${number}`)
      const { requests } = (await response.json()) as { requests: { method: string; path: string; at: string }[] }
      return requests.map(({ method, path, at }) => ({
        server: path.startsWith('/registration/1/') ? 1 : 2,
        what: method === 'POST' ? 'submitted' : 'asked',
        at: new Date(at),
      }))
    },
    steer: (change) => steer('POST', change),
    steerBack: () => steer('DELETE'),
  }
}

async function startShopWorker(app: TestApp, simulator: RunningSimulator): Promise<{ stop(): Promise<void> }> {
  const config = readConfig({
    DATA_DIR: app.dataDir,
    PORT: '0',
    SIMULATOR_URL: simulator.url,
    SIMULATOR_CALL_SECONDS: String(patientCallSeconds),
  })
  const db = connectDatabase({ url: app.database.applicationUrl, poolSize: 8, applicationName: 'makola worker of a test' })
  const worker = await startWorker(config, db, pino({ level: 'silent' }))
  return {
    stop: async () => {
      await worker.stop()
      await db.destroy()
    },
  }
}

export async function eventually<T>(ask: () => Promise<T>, wanted: T): Promise<void> {
  const deadline = Date.now() + patienceSeconds * 1_000
  for (;;) {
    const answer = await ask()
    if (Object.is(answer, wanted)) return
    if (Date.now() > deadline) throw new Error(`still ${String(answer)}, not ${String(wanted)}`)
    await sleep(100)
  }
}
