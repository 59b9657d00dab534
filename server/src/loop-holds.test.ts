import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import type { TestBrowser } from '../test/open-browser.ts'
import { setUpPeople } from '../test/set-up-people.ts'
import { slownessOfMachine, watchLoop } from '../test/watch-loop.ts'
import { statementPartEntries } from './money/statement/statement.ts'
import { linesMax } from './orders/checking/check-lines.ts'
import { placeTestOrders } from './orders/intake/place-test-orders.fixture.ts'
import { staffAtDesk } from './people/staff-at-desk.fixture.ts'
import { newId } from './platform/database/new-id.ts'
import { recipientsMax } from './products/sms/text/read-recipients.ts'

/** Nobody's request may wait longer than this for another's. */
const holdMillisecondsMax = 50

const shop = setUpPeople()
const orderCount = 3_000
/** With the orders, two whole parts and a little more. */
const entryCount = 2 * statementPartEntries + 7 - orderCount
const month = new Date().toISOString().slice(0, 7)

let ama: TestBrowser
let owner: TestBrowser
let accountId: string

/** So many pesewas came with each credit: enough for the orders. */
const creditPesewas = 10_000

/** Credits: a long history is quickly made of them. */
async function writeEntries(): Promise<void> {
  const { ownerDb } = shop.app.database
  await sql`
    with made as (
      select gen_random_uuid() as id, no from generate_series(1, ${entryCount}::bigint) as no
    ), credited as (
      insert into wallet_credits (id, account_id, purse, amount, actor) select id, ${accountId}, 'main', ${creditPesewas}, 'test' from made
    )
    insert into transfers (cause_id, kind, account_id, from_purse, to_purse, amount, to_entry_no, to_balance_after, note)
    select id, 'credit', ${accountId}, 'top_ups', 'main', ${creditPesewas}, no, no * ${creditPesewas}, 'Cash at the counter, Kwabɛna' from made`.execute(
    ownerDb,
  )
  await sql`update wallets set balance = ${entryCount * creditPesewas}, last_entry_no = ${entryCount}
    where account_id = ${accountId} and purse = 'main'`.execute(ownerDb)
}

beforeAll(async () => {
  ama = await shop.makeMember('ama-holds@example.test')
  accountId = (await shop.db.selectFrom('accounts').select('id').executeTakeFirstOrThrow()).id
  owner = await staffAtDesk(shop).makeStaffMember('owner', `owner-${newId()}@desk.test`)
  await writeEntries()
  const numbers = Array.from({ length: orderCount }, (_, no) => `024${String(1_000_000 + no)}`)
  for (let from = 0; from < orderCount; from += 500) {
    await placeTestOrders(shop.db, accountId, numbers.slice(from, from + 500), { details: { network: 'MTN', size: '5GB' } })
  }
})

const fileFor = (browser: () => TestBrowser, path: string) => async () => {
  const { status } = await browser().download(path)
  expect([path, status]).toEqual([path, 200])
}
const answerTo = (browser: () => TestBrowser, path: string, makeBody: () => object) => async () => {
  const { status } = await browser().ask('POST', path, JSON.stringify(makeBody()))
  expect([path, status]).toEqual([path, 200])
}

const line = (index: number) => ({ recipient: `0244${String(100_000 + index)}`, network: 'MTN', volume_gb: 1 })

/**
 * Everything that an API does for one request and that grows with what is asked for, at its limit. What a request asks PostgreSQL
 * to do holds nobody in the API; it counts here by the rows that come back.
 */
const works: readonly (readonly [name: string, work: () => Promise<void>])[] = [
  ['a part of a statement as PDF', fileFor(() => ama, `/app/api/wallet/statement.pdf?purse=main&month=${month}&part=2`)],
  ['the parts of a statement', fileFor(() => ama, `/app/api/wallet/statement?purse=main&month=${month}`)],
  ['a statement as a table', fileFor(() => ama, `/app/api/wallet/statement.csv?purse=main&month=${month}`)],
  ['all entries of a purse', fileFor(() => ama, '/app/api/wallet/entries.csv?purse=main')],
  ['all orders of an account', fileFor(() => ama, '/app/api/orders.csv')],
  ['all orders at the desk', fileFor(() => owner, '/desk/api/orders.csv')],
  ['the operator’s log', fileFor(() => owner, '/desk/api/log.csv')],
  ['a report of sales of a year', fileFor(() => owner, '/desk/api/reports/sales.csv?from=2026-01-01&to=2026-12-31&by=account')],
  ['the taxes of a year', fileFor(() => owner, '/desk/api/reports/tax.csv?from=2026-01-01&to=2026-12-31')],
  ['differences of all statements', fileFor(() => owner, '/desk/api/reconcile/differences.csv')],
  ['the price list', fileFor(() => owner, '/desk/api/packages.csv')],
  [
    'the text of a campaign',
    answerTo(
      () => ama,
      '/app/api/sms/check-text',
      () => ({ message: 'Dear customer, your order is ready at our shop today. '.repeat(19).slice(0, 1_000) }),
    ),
  ],
  [
    'recipients of a campaign',
    answerTo(
      () => ama,
      '/app/api/sms/check-recipients',
      () => ({
        recipients: Array.from({ length: recipientsMax }, (_, no) => `024${String(1_000_000 + no)}`).join('\n'),
        list_ids: [],
      }),
    ),
  ],
  [
    'lines of bundles',
    answerTo(
      () => ama,
      '/app/api/data/check',
      () => ({ lines: Array.from({ length: linesMax }, (_, index) => line(index)) }),
    ),
  ],
]

describe('no work for one request holds the event loop for the others', () => {
  it.each(works)('%s', async (_name, work) => {
    // The first time, V8 has not compiled the code yet.
    await work()
    const slowness = slownessOfMachine()
    const holds = await watchLoop(work)
    if (holds.longestMilliseconds >= holdMillisecondsMax * slowness) throw new Error(JSON.stringify({ slowness, ...holds }))
    expect(holds.longestMilliseconds).toBeGreaterThan(0)
  })
})

describe('a statement that is too long for one document', () => {
  it('comes in parts, each of which goes on where the one before ended', async () => {
    const { body } = await ama.ask('GET', `/app/api/wallet/statement?purse=main&month=${month}`)
    const { entries, parts } = body.data as { entries: number; parts: { part: number; entries: number }[] }
    expect(entries).toBe(entryCount + orderCount)
    expect(parts.map((part) => part.entries).reduce((sum, count) => sum + count, 0)).toBe(entries)
    expect(parts.slice(0, 2).map((part) => part.entries)).toEqual([statementPartEntries, statementPartEntries])
    const whole = await ama.ask('GET', `/app/api/wallet/statement.pdf?purse=main&month=${month}`)
    expect([whole.status, whole.headers['x-error-reason']]).toEqual([400, 'statement_has_parts'])
    const after = await ama.ask('GET', `/app/api/wallet/statement.pdf?purse=main&month=${month}&part=${parts.length + 1}`)
    expect(after.status).toBe(400)
    const last = await ama.download(`/app/api/wallet/statement.pdf?purse=main&month=${month}&part=${parts.length}`)
    expect([last.status, last.bytes.subarray(0, 5).toString()]).toEqual([200, '%PDF-'])
  })
})

describe('files of one account', () => {
  it('take turns; whoever asks for very many at once is refused some, and others get theirs', async () => {
    const ask = async (browser: TestBrowser) => (await browser.download('/app/api/wallet/entries.csv?purse=main')).status
    const statuses = await Promise.all(Array.from({ length: 12 }, () => ask(ama)))
    expect(new Set(statuses)).toEqual(new Set([200, 409]))
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(5)
    const kofi = await shop.makeMember('kofi-holds@example.test')
    const [mine] = await Promise.all([ask(kofi), ask(ama), ask(ama)])
    expect(mine).toBe(200)
    expect(await ask(ama)).toBe(200)
  })
})
