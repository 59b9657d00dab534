import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { creditWallet } from '../../server/src/money/credit-wallet.ts'
import { inTransaction } from '../../server/src/platform/database/in-transaction.ts'
import { keysOf, stockVouchers } from '../../server/src/products/results-checker/stock-vouchers.fixture.ts'
import { addPoolSender } from '../../server/src/products/sms/campaigns/decide-sender.ts'
import { makeAccount, makeKeyFor } from '../../server/test/make-account.ts'
import { setUpShop } from '../../server/test/set-up-shop.ts'
import type { Target } from '../src/api.ts'
import { chapters, type Report, runChecks } from '../src/run-checks.ts'
import { type MutatingProxy, startMutatingProxy } from './mutating-proxy.ts'
import { mutations } from './mutations.ts'

const limited = [
  'POST /airtime/purchase',
  'GET /airtime/orders',
  'GET /airtime/orders/{reference}',
  'GET /account/role',
  'POST /resultschecker/purchase',
  'GET /resultschecker/orders',
  'GET /resultschecker/orders/{reference}',
  'GET /resultschecker/types',
  'POST /afa/register',
  'GET /afa/orders',
  'GET /afa/orders/{reference}',
  'POST /utilities/pay',
  'GET /utilities/billers',
  'GET /utilities/lookup',
  'GET /utilities/orders/{reference}',
  'POST /data/verify-number',
]
const shop = setUpShop({
  unlimited: limited,
  prepare: (db) => inTransaction(db, (tx) => addPoolSender(tx, { sender: 'Makola', isDefault: true, actor: 'test' })),
})
let proxy: MutatingProxy
let keys: { standard: string; sms: string; commission: string }
let accountId: string

beforeAll(async () => {
  const { db, app } = shop
  accountId = (await makeAccount(db, { balancePesewas: 1_000_000 })).accountId
  await inTransaction(db, (tx) => creditWallet(tx, { accountId, purse: 'sms_credits', amount: 1_000, actor: 'test' }))
  const [standard, sms, commission] = [
    await makeKeyFor(db, accountId),
    await makeKeyFor(db, accountId, 'sms'),
    await makeKeyFor(db, accountId, 'commission'),
  ]
  keys = { standard, sms, commission }
  await stockVouchers(db, await keysOf(app), 100)
  proxy = await startMutatingProxy(app.url, await readFile(join(app.dataDir, 'tls', 'ca.pem'), 'utf8'))
})
afterAll(() => proxy.close())

const cards = { next: 7_000_000_000 }

function target(runId: string, more: Partial<Target> = {}): Target {
  cards.next += 1
  return { baseUrl: proxy.url, keys, spendUpTo: 500, runId, phone: '0241234567', smartcard: String(cards.next), ...more }
}

const sentences = (report: Report, outcome: string) =>
  report.findings.filter((finding) => finding.outcome === outcome).map(({ sentence, detail }) => `${sentence} ${detail}`)

const balance = async () => Number((await shop.balance(keys.standard)).toFixed(2))

/** The SMS checks run apart: without a worker each text waits for seconds, and texts cost credits, not money. */
const withoutTexts = chapters.map(({ name }) => name).filter((name) => name !== 'SMS')

describe('this server', () => {
  it('keeps every sentence that can be tried, and a repeated run pays nothing', async () => {
    const wanted = target('whole')
    const reports = await Promise.all([runChecks(wanted, { only: withoutTexts }), runChecks(wanted, { only: ['SMS'] })])
    expect(reports.flatMap((report) => sentences(report, 'broken'))).toEqual([])
    // The proxy of this test speaks plain HTTP, so only a run against a real address can try that sentence.
    expect(reports.flatMap((report) => sentences(report, 'untried'))).toEqual([
      expect.stringContaining('Only HTTPS is accepted.'),
    ])
    const before = await balance()
    expect(sentences(await runChecks(wanted, { only: withoutTexts }), 'broken')).toEqual([])
    expect(await balance()).toBe(before)
  })

  it('keeps the sentences about vouchers also where the run buys the last one of its type', async () => {
    const { typeId } = await stockVouchers(shop.db, await keysOf(shop.app), 1)
    await shop.db
      .updateTable('voucher_types')
      .set({ price_customer: 500, price_agent: 500, price_dealer: 500 })
      .where('id', '=', typeId)
      .execute()
    const wanted = target('last-voucher')
    for (const run of ['first', 'repeated']) {
      const report = await runChecks(wanted, { only: ['Results checker'] })
      expect({ run, broken: sentences(report, 'broken') }).toEqual({ run, broken: [] })
    }
    const { available_count: left } = await shop.db
      .selectFrom('voucher_types')
      .select('available_count')
      .where('id', '=', typeId)
      .executeTakeFirstOrThrow()
    expect(left).toBe(0)
  })

  it('loses no more than the limit, and nothing without one', async () => {
    for (const spendUpTo of [0, 6]) {
      const before = await balance()
      const report = await runChecks(target(`limit-${spendUpTo}`, { spendUpTo }), { only: withoutTexts })
      expect(sentences(report, 'broken')).toEqual([])
      expect(sentences(report, 'untried').some((line) => line.includes('costs GHS'))).toBe(true)
      expect(before - (await balance())).toBeLessThanOrEqual(spendUpTo)
    }
  })
})

describe('a broken implementation', () => {
  it.each(mutations.map((mutation, index) => [mutation.name, index] as const))('is found: %s', async (_, index) => {
    const mutation = mutations[index]
    if (!mutation) throw new Error('there is no such mutation')
    proxy.mutate(mutation)
    const report = await runChecks(target(`broken-${index}`), { only: [mutation.chapter], about: mutation.sentence })
    proxy.mutate(undefined)
    expect(sentences(report, 'broken').join('\n')).toContain(mutation.sentence)
  })
})

describe('the command', () => {
  const program = fileURLToPath(new URL('../bin/makola-conformance.js', import.meta.url))
  const run = async (...words: string[]) => {
    const child = spawn(process.execPath, [program, ...words])
    const ended = once(child, 'close')
    const [printed, said, [code]] = await Promise.all([text(child.stdout), text(child.stderr), ended])
    return { code: code as number, printed, said }
  }

  it('prints each sentence, writes JSON and JUnit, and ends with 1 when one is broken', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'makola-conformance-'))
    const [json, junit] = [join(folder, 'report.json'), join(folder, 'report.xml')]
    const words = [
      '--base-url',
      proxy.url,
      '--standard-key',
      keys.standard,
      '--only',
      'Packages',
      '--json',
      json,
      '--junit',
      junit,
    ]
    const good = await run(...words)
    expect(good).toMatchObject({ code: 0, printed: expect.stringContaining('ok        Package: A package has id') })
    expect(await readFile(junit, 'utf8')).toContain('<testsuite name="Packages" tests="5" failures="0" skipped="0">')
    proxy.mutate({ on: 'GET /packages', change: ({ body }) => void (body.data && (body.data.total = 'many')) })
    const bad = await run(...words)
    proxy.mutate(undefined)
    expect(bad).toMatchObject({ code: 1, printed: expect.stringContaining('BROKEN    GET /packages: total is the number') })
    const report = JSON.parse(await readFile(json, 'utf8')) as Report
    expect(report.findings.find(({ outcome }) => outcome === 'broken')).toMatchObject({ section: expect.any(String) })
    expect(await readFile(junit, 'utf8')).toContain('<failure message="')
    await rm(folder, { recursive: true })
  })

  it('says what is wrong with its words', async () => {
    expect(await run()).toMatchObject({ code: 2, said: expect.stringContaining('--base-url') })
    expect(await run('--base-url', 'http://shop.example.com/api/v2')).toMatchObject({ code: 2 })
    expect(await run('--base-url', proxy.url, '--only', 'Nothing')).toMatchObject({ code: 2 })
  })
})
