import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { keysOf, stockVouchers } from '../../server/src/products/results-checker/stock-vouchers.fixture.ts'
import { applicant } from '../../server/test/applicant.ts'
import { makeAccount, makeKeyFor } from '../../server/test/make-account.ts'
import { setUpShop } from '../../server/test/set-up-shop.ts'
import { type Done, drive, type Job, type Result, whyNotHere } from './drivers.ts'
import { type Fault, type FaultyProxy, startFaultyProxy } from './faulty-proxy.ts'
import { inventOrder, type SeededOrder } from './invent-order.ts'

/** A row of `sdk/cases.json`. Each is run with an account of its own, by the client of each language. */
type Case = {
  readonly name: string
  readonly faults: readonly Fault[]
  /** The fault of every try after `faults`. */
  readonly always?: Fault
  readonly call: string
  /** The order to buy. The test adds a reference, unless the client is to make one. */
  readonly order?: object | string
  /** Number of copies of the order in one batch. */
  readonly batch?: number
  readonly arguments?: readonly unknown[]
  readonly makesReference?: boolean
  readonly timeoutSeconds?: number
  readonly deadlineSeconds?: number
  readonly isRepeat?: boolean
  readonly isMadeAgain?: boolean
  readonly times?: number
  readonly wait?: readonly [string, number]
  /** In GHS; 1,000 if not given. */
  readonly balance?: number
  /** `{https}`: the API itself, with a certificate that the client has no reason to trust. */
  readonly baseUrl?: string
  /** The keys that the client has; all if not given. */
  readonly keys?: readonly string[]
  /** `value`, or the name of the error, of each call. */
  readonly ends: readonly string[]
  /** The reason of the error. */
  readonly reason?: string
  /** The requests that the client sends; not given where their number depends on how fast the machine is. */
  readonly tries?: number
  readonly orders: number
  readonly rows?: number
  readonly atLeastSeconds?: number
}

type Table = {
  readonly cases: readonly Case[]
  readonly calls: readonly { call: string; arguments: readonly unknown[]; sends: string; key: string }[]
  readonly webhooks: readonly {
    name: string
    headers: Record<string, string>
    body: string
    secrets: string[]
    now: number
    ends: string
    reason?: string
  }[]
}

const table = JSON.parse(readFileSync(new URL('../cases.json', import.meta.url), 'utf8')) as Table
const languages = ['typescript', 'php', 'python']
const seeds = Number(process.env['MAKOLA_SEEDS'] ?? 60)

/** Short waits between tries, so that the tests are short. No check depends on their length. */
const patience = { timeoutSeconds: 150, deadlineSeconds: 600, firstWaitSeconds: 0.01, longestWaitSeconds: 0.2 }

const limited = ['POST /airtime/purchase', 'POST /resultschecker/purchase', 'POST /afa/register', 'POST /utilities/pay']
const shop = setUpShop({ unlimited: [...limited, 'GET /afa/orders/{reference}'] })
let proxy: FaultyProxy
let typeId: string

beforeAll(async () => {
  const keys = await keysOf(shop.app)
  typeId = (await stockVouchers(shop.db, keys, 100 + 2 * seeds)).typeId
  proxy = await startFaultyProxy(shop.app.url, await readFile(join(shop.app.dataDir, 'tls', 'ca.pem'), 'utf8'))
})
afterAll(() => proxy.close())

type Account = { readonly accountId: string; readonly keys: Readonly<Record<string, string>>; readonly balancePesewas: number }

async function openAccount(balance = 1_000): Promise<Account> {
  const balancePesewas = balance * 100
  const { accountId } = await makeAccount(shop.db, { balancePesewas })
  const standardKey = await makeKeyFor(shop.db, accountId)
  const commissionKey = await makeKeyFor(shop.db, accountId, 'commission')
  return { accountId, balancePesewas, keys: { standardKey, commissionKey, smsKey: await makeKeyFor(shop.db, accountId, 'sms') } }
}

/** The ids of an account's orders. Each must have been paid once. */
async function paidOrders({ accountId, balancePesewas }: Account): Promise<string[]> {
  const orders = await shop.ordersOf(accountId)
  const { balance } = await shop.db
    .selectFrom('wallets')
    .select('balance')
    .where('account_id', '=', accountId)
    .where('purse', '=', 'main')
    .executeTakeFirstOrThrow()
  const spent = orders.reduce((sum, { price }) => sum + price, 0)
  expect(balance).toBe(balancePesewas - spent)
  return orders.map(({ id }) => id)
}

/** The ids of the orders that a result names. */
function idsIn({ value }: Result): string[] {
  if (Array.isArray(value?.orders)) return value.orders.flatMap((order: { order_id: string }) => order.order_id)
  return [value?.order_id ?? value?.order?.id].filter((id) => id !== undefined)
}

function argumentsOf(each: Case, reference: string): readonly unknown[] {
  if (!each.order) return each.arguments ?? []
  const order = each.order === '{applicant}' ? applicant : each.order
  const filled = JSON.parse(JSON.stringify(order).replace('{typeId}', typeId)) as object
  const named = (number: string) => ({ ...filled, ...(!each.makesReference && { reference: `${reference}${number}` }) })
  if (!each.batch) return [named('')]
  return [{ orders: Array.from({ length: each.batch }, (_, index) => named(`-${index}`)) }]
}

function jobOf(each: Case, name: string, { keys }: Account): Job {
  const { timeoutSeconds, deadlineSeconds, isRepeat, keys: given } = each
  const address = proxy.open(name, each.faults, each.always)
  return {
    name,
    call: each.call,
    arguments: argumentsOf(each, name),
    options: isRepeat ? { isRepeat } : {},
    client: {
      ...patience,
      ...(timeoutSeconds && { timeoutSeconds }),
      ...(deadlineSeconds && { deadlineSeconds }),
      baseUrl: each.baseUrl?.replace('{https}', shop.app.url) ?? address,
      ...Object.fromEntries(Object.entries(keys).filter(([key]) => given?.includes(key) ?? true)),
    },
    times: each.times ?? 1,
    isMadeAgain: each.isMadeAgain ?? false,
    ...(each.wait && { wait: each.wait }),
  }
}

const callJobs = (language: string, { keys }: Account): Job[] =>
  table.calls.map((each, index) => {
    const name = `${language}-call-${index}`
    const client = { ...patience, ...keys, baseUrl: proxy.open(name, ['rows:campaigns:0:0']) }
    return { name, call: each.call, arguments: each.arguments, client, times: 1, isMadeAgain: false }
  })

const webhookJobs = table.webhooks.map(({ name, headers, body, secrets, now }): Job => {
  return { name, call: 'verifyWebhook', arguments: [headers, body, secrets, now], client: {}, times: 1, isMadeAgain: false }
})

for (const language of languages) {
  const whyNot = whyNotHere(language)
  const note = whyNot === undefined ? '' : ` (not tested: ${whyNot})`
  describe.skipIf(whyNot !== undefined)(`the client in ${language}${note}`, () => {
    testClient(language)
  })
}

function testClient(language: string): void {
  const names = table.cases.map((_, index) => `${language}-${index}`)
  const accounts: Account[] = []
  let done: Map<string, Done>
  beforeAll(async () => {
    for (const each of table.cases) accounts.push(await openAccount(each.balance))
    const cases = table.cases.map((each, index) => jobOf(each, names[index] ?? '', accounts[index] as Account))
    const calls = callJobs(language, accounts[0] as Account)
    // One process does it all: its start costs more than most of its jobs.
    done = await drive(language, [...cases, ...calls, ...webhookJobs], 4)
    await proxy.untilQuiet()
  })

  it.each(table.cases.map((each, index) => [each.name, index] as const))('%s', async (_, index) => {
    const each = table.cases[index] as Case
    const name = names[index] ?? ''
    const { results, told } = done.get(name) as Done
    const refused = results.filter(({ ends }) => ends !== 'value')
    const seen = proxy.seen(name)
    const rows = each.rows === undefined ? undefined : (results[0]?.value as { id: string }[])
    expect({
      ends: results.map(({ ends }) => ends),
      reasons: each.reason && refused.map(({ reason }) => reason),
      tries: each.tries === undefined ? undefined : seen.length,
      rows: rows && [rows.length, new Set(rows.map(({ id }) => id)).size],
      orders: (await paidOrders(accounts[index] as Account)).length,
    }).toEqual({
      ends: each.ends,
      reasons: each.reason && refused.map(() => each.reason),
      tries: each.tries,
      rows: each.rows === undefined ? undefined : [each.rows, each.rows],
      orders: each.orders,
    })
    const seconds = ((seen.at(-1)?.at ?? 0) - (seen[0]?.at ?? 0)) / 1_000
    expect(seconds).toBeGreaterThanOrEqual(each.atLeastSeconds ?? 0)
    // Each try has the same body as the one before, and so the same reference, which was told if the client made it.
    const posted = seen.filter(({ line }) => line.startsWith('POST')).map(({ body }) => body)
    const bodies = new Set(posted.map((body) => JSON.stringify(body)))
    expect(bodies.size).toBe(Math.min(posted.length, each.makesReference ? (each.times ?? 1) : 1))
    const sent = [...new Set(posted.flatMap(referencesIn))]
    expect(told.toSorted()).toEqual(each.makesReference ? sent.toSorted() : [])
    expect(new Set(results.slice(0, each.times ?? 1).flatMap(idsIn)).size).toBeLessThanOrEqual(each.orders)
  })

  it('has a method for every endpoint, and sends what it is asked to', () => {
    const { keys } = accounts[0] as Account
    for (const [index, each] of table.calls.entries()) {
      const name = `${language}-call-${index}`
      expect([each.call, done.get(name)?.results.map(({ ends }) => ends)]).toEqual([each.call, ['value']])
      const body = each.sends.startsWith('POST') ? each.arguments[0] : undefined
      const { line, key, body: sent } = proxy.seen(name)[0] ?? {}
      expect([line, key, sent]).toEqual([each.sends, keys[`${each.key}Key`], body])
    }
  })

  it('believes a webhook only with a fresh signature of a secret that it has', () => {
    for (const { name, ends, reason, body } of table.webhooks) {
      const [result] = done.get(name)?.results ?? []
      const wanted = ends === 'value' ? { value: JSON.parse(body) as unknown } : { ...(reason && { reason }) }
      expect({ name, ...result }).toMatchObject({ name, ends, ...wanted })
    }
  })
}

const referencesIn = (body: unknown): string[] => {
  const { reference, orders } = body as { reference?: string; orders?: { reference: string }[] }
  return orders ? orders.map((order) => order.reference) : [reference ?? '']
}

it('every endpoint of the OpenAPI document is in the table of calls, but for the one that was removed', () => {
  const file = readFileSync(new URL('../../contract/openapi.json', import.meta.url), 'utf8')
  const { paths } = JSON.parse(file) as { paths: Record<string, Record<string, { operationId: string }>> }
  const names = Object.values(paths).flatMap((methods) => Object.values(methods).map(({ operationId }) => operationId))
  expect(new Set([...table.calls.map(({ call }) => call), 'topUpWallet'])).toEqual(new Set(names))
})

describe('whatever the connection does', () => {
  it(`${seeds} orders of all products end as one order each, paid once`, async () => {
    const account = await openAccount(1_000_000)
    const orders = Array.from({ length: seeds }, (_, seed) => inventOrder(seed + 1, typeId))
    const jobs = orders.map(({ name, faults, timeoutSeconds, call, order }: SeededOrder): Job => {
      const client = { ...patience, ...account.keys, timeoutSeconds, baseUrl: proxy.open(name, faults) }
      return { name, call, arguments: [order], client, times: 1, isMadeAgain: true }
    })
    const done = await drive('typescript', jobs, 16)
    await proxy.untilQuiet()
    const last = jobs.map(({ name }) => done.get(name)?.results.at(-1))
    const failed = last.flatMap((result, index) =>
      result?.ends === 'value' ? [] : [[jobs[index]?.name, orders[index]?.faults, result]],
    )
    expect(failed).toEqual([])
    const named = last.flatMap((result) => (result ? idsIn(result) : []))
    expect((await paidOrders(account)).toSorted()).toEqual(named.toSorted())
  })
})

/** Commands that run the first program of a page, with the client of this tree in place of an installed one. */
const pages: Readonly<Record<string, { file: string; installed: RegExp; here: string; program: string }>> = {
  typescript: {
    file: 'sell.mjs',
    installed: /'makola-client'/,
    here: `'${fileURLToPath(new URL('../typescript/src/index.ts', import.meta.url))}'`,
    program: process.execPath,
  },
  php: {
    file: 'sell.php',
    installed: /require 'makola-client.php';/,
    here: `require '${fileURLToPath(new URL('../php/autoload.php', import.meta.url))}';`,
    program: 'php',
  },
  python: { file: 'sell.py', installed: /$^/, here: '', program: 'python3' },
}

describe('the first program of the page', () => {
  for (const [language, { file, installed, here, program }] of Object.entries(pages)) {
    it.skipIf(whyNotHere(language) !== undefined)(`in ${language} sells a bundle through a cut connection, once`, async () => {
      const account = await openAccount()
      const page = await readFile(new URL(`../../docs/api/${language}.md`, import.meta.url), 'utf8')
      const [, code = ''] = /## Sell a bundle\n\n```\w+\n([\s\S]*?)```/.exec(page) ?? []
      const address = proxy.open(`page-${language}`, ['cut-after', 'pass', 'status:processing', 'status:completed'])
      const folder = await mkdtemp(join(tmpdir(), 'makola-page-'))
      const named = code.replace('adwoa-2026-0001', `page-${language}`)
      await writeFile(join(folder, file), named.replace('https://localhost:8443/api/v2', address).replace(installed, here))
      const python = fileURLToPath(new URL('../python', import.meta.url))
      const env = { ...process.env, MAKOLA_KEY: account.keys['standardKey'], PYTHONPATH: python }
      const { stdout } = await promisify(execFile)(program, [join(folder, file)], { env })
      await rm(folder, { recursive: true })
      expect(stdout.trim()).toBe(`page-${language} completed`)
      expect(await paidOrders(account)).toHaveLength(1)
    })
  }
})
