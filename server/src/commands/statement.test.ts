import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { patienceSeconds } from '../../test/patience.ts'
import { readPdf } from '../../test/reading/read-pdf.ts'
import { setUpCommandLine } from '../../test/set-up-command-line.ts'
import { untilTransactionsEnd } from '../../test/until-transactions-end.ts'
import { allCommands } from '../all-commands.ts'
import { openDemo } from '../demo/open-demo.fixture.ts'
import { writeDemoHistory } from '../demo/year/write-demo-history.ts'
import { transfersChain } from '../money/transfers-chain.ts'
import { formatHead, readPresentHeads } from '../platform/chains/recorded-heads.ts'
import { sealChain } from '../platform/chains/seal-chain.ts'

const desk = setUpCommandLine(allCommands)
const { run, json } = desk

const purses = ['main', 'commission', 'sms_credits'] as const
type Purse = (typeof purses)[number]

/** A fixed moment, so that the test is the same on every day. */
const until = new Date('2026-10-15T12:34:56Z')
const months = ['2026-07', '2026-08', '2026-09', '2026-10']

type Entry = {
  at: string
  kind: string
  amount: number
  balance_before: number
  balance_after: number
  reference: string
  note: string | null
  cause_id: string
}
type Printed = {
  opening: number
  closing: number
  count: number
  entries: Entry[]
  by_kind: { kind: string; count: number; amount: number }[]
  by_month: { month: string; count: number; in: number; out: number; closing: number }[]
}

let accountId = ''
let email = ''

beforeAll(async () => {
  const { secretsKeys } = await openDemo(desk.db, desk.folder)
  await writeDemoHistory({ db: desk.db, secretsKeys }, { orderCount: 2_500, months: 3, seed: 5, until })
  const { rows } = await sql<{ id: string; email: string }>`
    select accounts.id, email from accounts join transfers on account_id = accounts.id
    where 'main' in (from_purse, to_purse)
    group by accounts.id having count(distinct kind) = 6 order by count(*) desc limit 1`.execute(desk.db)
  accountId = rows[0]?.id ?? ''
  email = rows[0]?.email ?? ''
})

const statementOf = async (purse: Purse, ...words: string[]) =>
  (await json('wallet', 'statement', '--account', email, '--purse', purse, ...words)) as unknown as Printed

/** GHS with two decimals as whole pesewas; credits as they are. */
const whole = (purse: Purse, amount: number) => (purse === 'sms_credits' ? amount : Math.round(amount * 100))

/** Sums up a period of the ledger without any code of the statements. */
async function readLedger(purse: Purse, from: string, to: string) {
  const { rows } = await sql<{ opening: string; closing: string; count: string; kinds: Record<string, number> }>`
    with entry as (
      select created_at, kind, case when to_purse = ${purse} then amount else -amount end as change from transfers
      where account_id = ${accountId} and ${purse} in (from_purse, to_purse)
    ), ofperiod as (
      select * from entry where created_at >= ${from}::timestamptz and created_at < ${to}::timestamptz
    )
    select (select coalesce(sum(change), 0) from entry where created_at < ${from}::timestamptz) as opening,
      (select coalesce(sum(change), 0) from entry where created_at < ${to}::timestamptz) as closing,
      (select count(*) from ofperiod) as count,
      (select coalesce(jsonb_object_agg(kind, total), '{}') from (
        select kind, sum(change) as total from ofperiod group by kind) as summed) as kinds`.execute(desk.db)
  const [found] = rows
  if (!found) throw new Error('the ledger says nothing')
  return { ...found, opening: Number(found.opening), closing: Number(found.closing), count: Number(found.count) }
}

const nextMonth = (month: string) => new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)))).toISOString()

describe('makola wallet statement', () => {
  it.each(purses)('of %s says for every month what the ledger says, and months follow each other', async (purse) => {
    const whole$ = (amount: number) => whole(purse, amount)
    let held = 0
    let count = 0
    for (const month of months) {
      const ledger = await readLedger(purse, `${month}-01T00:00:00Z`, nextMonth(month))
      const printed = await statementOf(purse, '--month', month)
      expect({
        opening: whole$(printed.opening),
        closing: whole$(printed.closing),
        count: printed.entries.length,
        kinds: Object.fromEntries(printed.by_kind.map(({ kind, amount }) => [kind, whole$(amount)])),
      }).toEqual(ledger)
      expect(whole$(printed.opening)).toBe(held)
      held = whole$(printed.closing)
      count += printed.count
    }
    const all = await statementOf(purse)
    expect(count).toBe(all.count)
    expect(count).toBeGreaterThan(10)
    const { balance } = await desk.db
      .selectFrom('wallets')
      .select('balance')
      .where('account_id', '=', accountId)
      .where('purse', '=', purse)
      .executeTakeFirstOrThrow()
    expect(held).toBe(balance)
    expect(all.by_month.map(({ month, closing }) => [month, whole$(closing)]).at(-1)).toEqual(['2026-10', held])
  })

  it.each(purses)('of %s has each entry with the balance before and after it', async (purse) => {
    const printed = await statementOf(purse)
    let held = printed.opening
    for (const entry of printed.entries) {
      expect(entry.balance_before).toBe(held)
      expect(whole(purse, entry.balance_after)).toBe(whole(purse, held) + whole(purse, entry.amount))
      held = entry.balance_after
    }
    expect(held).toBe(printed.closing)
  })

  it('says what caused each entry: the order, the receipt of a credit, the credit that was taken back, the adjusted order', async () => {
    const { entries } = await statementOf('main')
    const { rows } = await sql<{ cause_id: string; reference: string }>`
      select cause_id::text, coalesce(orders.reference, credit.external_id, corrected.external_id, move.external_id, adjusted.reference) as reference
      from transfers
      left join orders on orders.id = cause_id
      left join wallet_credits as credit on credit.id = cause_id
      left join wallet_corrections as correction on correction.id = cause_id
      left join wallet_credits as corrected on corrected.id = correction.credit_id
      left join commission_moves as move on move.id = cause_id
      left join approvals as agreed on agreed.id = cause_id
      left join orders as adjusted on adjusted.id::text = agreed.request ->> 'orderId'
      where transfers.account_id = ${accountId} and 'main' in (from_purse, to_purse)`.execute(desk.db)
    const expected = new Map(rows.map((row) => [row.cause_id, row.reference]))
    expect(entries.filter(({ cause_id: id, reference }) => expected.get(id) !== reference)).toEqual([])
    expect([...new Set(entries.map(({ kind }) => kind))].toSorted()).toEqual(
      ['adjustment', 'commission_move', 'correction', 'credit', 'purchase', 'refund'].toSorted(),
    )
    const bundle = entries.find(({ note }) => note?.startsWith('Data bundles MTN 1GB 0'))
    expect(bundle).toMatchObject({ kind: 'purchase' })
    expect(entries.find(({ kind }) => kind === 'correction')).toMatchObject({ note: 'typed twice' })
  })

  it('counts the day that is given as its end, and no entry twice', async () => {
    const first = await statementOf('main', '--to', '2026-09-10')
    const second = await statementOf('main', '--from', '2026-09-11')
    const all = await statementOf('main')
    expect([...first.entries, ...second.entries]).toEqual(all.entries)
    expect(first.entries.at(-1)?.at.slice(0, 10)).toBe('2026-09-10')
    expect(second.opening).toBe(first.closing)
    expect((await statementOf('main', '--from', '2031-01-01')).entries).toEqual([])
  })

  it('is a table for people', async () => {
    const { exitCode, stdout } = await run('wallet', 'statement', '--account', email, '--month', '2026-09')
    const { count, closing } = await statementOf('main', '--month', '2026-09')
    expect(exitCode).toBe(0)
    expect(stdout).toContain(`${count} entries. They add up.\n`)
    expect(stdout).toMatch(new RegExp(`Closing balance +${closing.toFixed(2)}\n`))
  })

  it('of SMS credits is in credits, of commission in GHS', async () => {
    const credits = await statementOf('sms_credits')
    expect(credits).toMatchObject({ unit: 'credits' })
    const commission = await json('commission', 'statement', '--account', email)
    expect(commission).toMatchObject({ purse: 'commission', unit: 'GHS' })
    expect(commission).toEqual(await statementOf('commission'))
  })

  it('writes CSV that adds up from the opening to the closing balance', async () => {
    const file = join(desk.folder, 'statement.csv')
    const printed = await statementOf('main', '--month', '2026-09', '--csv', file)
    const rows: Record<string, string>[] = parse(await readFile(file), { columns: true })
    const [opening, ...rest] = rows
    const closing = rest.pop()
    expect([opening?.['kind'], closing?.['kind']]).toEqual(['opening', 'closing'])
    const pesewasIn = (text: string | undefined) => Math.round(Number(text) * 100)
    const sum = rest.reduce((held, row) => held + pesewasIn(row['amount']), pesewasIn(opening?.['balance_after']))
    expect(sum).toBe(pesewasIn(closing?.['balance_after']))
    expect(rest).toHaveLength(printed.count)
    expect(sum).toBe(whole('main', printed.closing))
  })
})

describe('a statement as PDF', () => {
  it('has the operator’s and the account’s names with all their letters, every entry, its totals, and numbered pages', async () => {
    await json('setting', 'set', 'operator_name', 'Ɛyɛ Ɔdɔ Digital Ŋ')
    await sql`update accounts set name = 'Kwabɛna Ɔfori Agyemaŋ 🙂' where id = ${accountId}`.execute(desk.db)
    const file = join(desk.folder, 'statement.pdf')
    await json('wallet', 'statement', '--account', email, '--pdf', file)
    const pages = readPdf(await readFile(file))
    const texts = pages.flat()
    const { entries, opening, closing, by_kind: byKind } = await statementOf('main')
    expect(texts[0]).toMatch(/^Ɛyɛ Ɔdɔ Digital Ŋ · Kwabɛna Ɔfori Agyemaŋ \uFFFD$/)
    expect(texts).toEqual(expect.arrayContaining(['Ɛyɛ Ɔdɔ Digital Ŋ', 'Kwabɛna Ɔfori Agyemaŋ \uFFFD', 'Main wallet']))
    expect(pages.map((page) => page.find((text) => text.startsWith('Page ')))).toEqual(
      pages.map((_, index) => `Page ${index + 1} of ${pages.length}`),
    )
    expect(pages.length).toBeGreaterThan(3)
    const table = texts.slice(texts.indexOf('After') + 1)
    for (const { reference, balance_after: after } of entries) {
      expect(table.some((text) => text.endsWith(`  ${reference}`))).toBe(true)
      expect(table).toContain(after.toFixed(2))
    }
    const inWords = (amount: number) =>
      `${amount < 0 ? '-' : ''}GHS ${Math.abs(amount).toLocaleString('en-US', { minimumFractionDigits: 2 })}`
    const summary = texts.slice(texts.indexOf('Opening balance'), texts.indexOf('Time'))
    const held = ['Opening balance', inWords(opening), ...byKind.map(({ amount }) => inWords(amount)), inWords(closing)]
    expect(summary.filter((text) => held.includes(text)).slice(0, held.length)).toEqual(['Opening balance', ...held.slice(1)])
    expect(texts.filter((text) => text === 'Closing balance')).toHaveLength(2)
  })

  it('carries the newest seal of the transfers on each page, which proves the history later', async () => {
    const file = join(desk.folder, 'sealed.pdf')
    const write = async (name: string) => {
      await json('wallet', 'statement', '--account', email, '--month', '2026-09', '--pdf', name)
      return readPdf(await readFile(name))
    }
    expect((await write(file)).flat().filter((text) => text.startsWith('transfers:'))).toEqual([])
    await untilTransactionsEnd(desk.db)
    await sealChain(desk.db, transfersChain, { restSeconds: 0, milliseconds: patienceSeconds * 1_000 })
    const heads = await readPresentHeads(desk.db)
    const [seal] = heads.filter(({ chain }) => chain === 'transfers').map((head) => formatHead(head))
    const pages = await write(join(desk.folder, 'sealed-now.pdf'))
    expect(pages.map((page) => page.filter((text) => text === seal))).toEqual(pages.map(() => [seal]))
    expect((await run('audit', '--chain', '--noted', String(seal))).exitCode).toBe(0)
    const another = String(seal).replace(/.$/, (digit) => (digit === '0' ? '1' : '0'))
    expect((await run('audit', '--chain', '--noted', another)).exitCode).toBe(1)
  })

  it('adds up, amount by amount', async () => {
    const file = join(desk.folder, 'september.pdf')
    await json('wallet', 'statement', '--account', email, '--month', '2026-09', '--pdf', file)
    const texts = readPdf(await readFile(file)).flat()
    const { opening, closing, count } = await statementOf('main', '--month', '2026-09')
    const figures = texts.filter((text) => /^-?\d+\.\d\d$/.test(text)).map((text) => Math.round(Number(text) * 100))
    expect(figures).toHaveLength(count * 3)
    let held = whole('main', opening)
    for (let line = 0; line < figures.length; line += 3) {
      const [amount = 0, before, after] = figures.slice(line, line + 3)
      expect([before, after]).toEqual([held, held + amount])
      held += amount
    }
    expect(held).toBe(whole('main', closing))
  })
})

describe('a long wallet', () => {
  it('is read to its end, however many entries it has', async () => {
    const { account_id: id } = await json(
      'account',
      'create',
      '--email',
      'long@example.test',
      '--name',
      'Long',
      '--role',
      'agent',
    )
    await sql`
      with credit as (
        insert into wallet_credits (id, account_id, purse, external_id, amount, actor, created_at)
        select first_id_at(now() + n * interval '1 millisecond'), ${id}::uuid, 'main', 'long-' || n, n, 'test', timestamptz '2026-01-01' + n * interval '1 hour'
        from generate_series(1, 2500) as n
        returning *
      ), numbered as (
        select *, row_number() over (order by created_at) as entry_no, sum(amount) over (order by created_at) as held from credit
      ), moved as (
        insert into transfers (cause_id, kind, account_id, from_purse, to_purse, amount, to_entry_no, to_balance_after, created_at)
        select id, 'credit', account_id, 'top_ups', 'main', amount, entry_no, held, created_at from numbered
      )
      update wallets set balance = 2500 * 2501 / 2, last_entry_no = 2500 where account_id = ${id}::uuid and purse = 'main'`.execute(
      desk.db,
    )
    const printed = (await json('wallet', 'statement', '--account', 'long@example.test')) as unknown as Printed
    expect(printed.entries.map(({ reference }) => reference)).toEqual(
      Array.from({ length: 2_500 }, (_, index) => `long-${index + 1}`),
    )
    expect(printed.closing).toBe((2_500 * 2_501) / 200)
    const february = (await json(
      'wallet',
      'statement',
      '--account',
      'long@example.test',
      '--month',
      '2026-02',
    )) as unknown as Printed
    expect([february.entries[0]?.reference, february.entries.at(-1)?.reference]).toEqual(['long-744', 'long-1415'])
  })

  it('that does not add up has no statement, in no form: exit 1 with the entry, and no file', async () => {
    const { ownerDb } = desk.database
    await sql`alter table transfers disable trigger user`.execute(ownerDb)
    await sql`update transfers set amount = amount + 1 where account_id = (select id from accounts where email = 'long@example.test') and to_entry_no = 1200`.execute(
      ownerDb,
    )
    const file = join(desk.folder, 'broken.csv')
    for (const words of [[], ['--csv', file], ['--pdf', file]]) {
      const { exitCode, stdout, stderr } = await run('wallet', 'statement', '--account', 'long@example.test', ...words)
      expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' })
      expect(stderr).toContain('Entry 1200 of this wallet does not add up')
    }
    await sql`update transfers set amount = amount - 1 where account_id = (select id from accounts where email = 'long@example.test') and to_entry_no = 1200`.execute(
      ownerDb,
    )
    await sql`update wallets set balance = balance - 1 where account_id = (select id from accounts where email = 'long@example.test') and purse = 'main'`.execute(
      ownerDb,
    )
    const { exitCode, stderr } = await run('wallet', 'statement', '--account', 'long@example.test')
    expect(exitCode).toBe(1)
    expect(stderr).toContain('but the wallet held')
    expect((await readdir(desk.folder)).filter((name) => name.startsWith('broken'))).toEqual([])
  })
})

describe('a statement that was asked for wrongly', () => {
  it.each([
    [['--month', '2026-13'], '--month'],
    [['--month', '2026-10', '--from', '2026-10-01'], '--month'],
    [['--from', '2026-10-02', '--to', '2026-10-01'], '--from'],
    [['--from', 'yesterday'], '--from'],
    [['--purse', 'sales'], '--purse'],
    [['--csv', 'a', '--pdf', 'a'], '--csv'],
  ])('%j ends with 2 and names the option', async (words, option) => {
    const { exitCode, stderr } = await run('wallet', 'statement', '--account', 'demo@makola.test', ...words)
    expect(exitCode).toBe(2)
    expect(stderr).toContain(option)
  })

  it('of an account that is not there, or into a folder that is not, ends with 1', async () => {
    expect(await run('wallet', 'statement', '--account', 'nobody@example.test')).toMatchObject({ exitCode: 1 })
    const { exitCode, stderr } = await run('wallet', 'statement', '--account', email, '--pdf', join(desk.folder, 'gone', 'a.pdf'))
    expect(exitCode).toBe(1)
    expect(stderr).toContain('cannot be written')
  })
})
