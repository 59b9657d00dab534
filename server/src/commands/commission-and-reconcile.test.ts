import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { makeAccount } from '../../test/make-account.ts'
import { setUpCommandLine } from '../../test/set-up-command-line.ts'
import { allCommands } from '../all-commands.ts'
import { readCommissionPlan } from '../money/commission-plan.ts'
import { transferMany } from '../money/transfer-many.ts'
import { inTransaction } from '../platform/database/in-transaction.ts'
import { newId } from '../platform/database/new-id.ts'

const desk = setUpCommandLine(allCommands)
const { run, json } = desk

/** An account whose Commission Wallet holds something. */
async function makeEarner(amount: number): Promise<string> {
  const { accountId } = await makeAccount(desk.db)
  await inTransaction(desk.db, (tx) =>
    transferMany(tx, [
      { causeId: newId(), kind: 'commission', accountId, fromPurse: 'commission_expense', toPurse: 'commission', amount },
    ]),
  )
  return accountId
}

describe('makola commission', () => {
  it('shows the Commission Wallet and moves it to the main wallet, once per id', async () => {
    const account = await makeEarner(1_000)
    const moved = { transferred: 2.5, commission: 7.5, balance: 2.5 }
    const transfer = ['commission', 'transfer', '--account', account, '--amount', '2.50', '--id', 'payout-1']
    expect(await json(...transfer)).toEqual({ ...moved, already_processed: false })
    expect(await json(...transfer)).toEqual({ ...moved, already_processed: true })
    expect(await json('commission', 'show', '--account', account)).toMatchObject({
      account_id: account,
      balance: 7.5,
      entries: [
        { kind: 'commission_move', amount: -2.5, balance: 7.5, reference: 'payout-1' },
        { kind: 'commission', amount: 10, balance: 10 },
      ],
    })
    expect(await json('commission', 'transfer', '--account', account, '--amount', 'all')).toMatchObject({
      transferred: 7.5,
      commission: 0,
    })
    const { stdout } = await run('commission', 'show', '--account', account)
    expect(stdout).toContain('The Commission Wallet holds GHS 0.00.')
    expect(stdout).toMatch(/-GHS 7\.50 {2}to the main wallet\n/)
    expect(stdout).toMatch(/-GHS 2\.50 {2}to the main wallet: payout-1\n/)
  })

  it.each([
    ['more than there is', ['--amount', '10.01'], 1, 'holds GHS 10.00: not enough'],
    ['nothing', ['--amount', '0'], 2, '--amount must be'],
    ['an amount with three decimals', ['--amount', '1.001'], 2, '--amount must be'],
  ])('refuses to move %s', async (_what, options, code, message) => {
    const account = await makeEarner(1_000)
    const { exitCode, stderr } = await run('commission', 'transfer', '--account', account, ...options)
    expect(exitCode).toBe(code)
    expect(stderr).toContain(message)
  })

  it('refuses an id that was used for another amount', async () => {
    const account = await makeEarner(1_000)
    await run('commission', 'transfer', '--account', account, '--amount', '1', '--id', 'x')
    expect((await run('commission', 'transfer', '--account', account, '--amount', '2', '--id', 'x')).stderr).toContain(
      'already used',
    )
  })

  it('sets rates and shares for orders from now on, and lists them', async () => {
    const before = (await readCommissionPlan(desk.db)).version
    expect(await json('commission', 'set-rate', '--product', 'utilities', '--network', 'dstv', '--percent', '1.25')).toEqual({
      product: 'utilities',
      network: 'dstv',
      percent: 1.25,
    })
    await json('commission', 'set-share', '--product', 'airtime', '--role', 'agent', '--percent', '55')
    expect(await json('commission', 'rates')).toEqual({
      rates: [{ product: 'utilities', network: 'dstv', percent: 1.25 }],
      shares: [{ product: 'airtime', role: 'agent', percent: 55 }],
    })
    expect((await readCommissionPlan(desk.db)).version).toBeGreaterThan(before)
    const log = await desk.db.selectFrom('operator_log').select('action').execute()
    expect(log.map(({ action }) => action)).toEqual(expect.arrayContaining(['commission set-rate', 'commission set-share']))
  })

  it('calls a network that is not there as the other commands do, and ends with 1', async () => {
    const outcome = await run('commission', 'set-rate', '--product', 'utilities', '--network', 'nepa', '--percent', '1')
    expect(outcome).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('There is no network "nepa"') as string })
  })

  it.each([
    ['set-rate', '--product', 'airtime', '--network', 'MTN', '--percent', '100.01'],
    ['set-rate', '--product', 'airtime', '--network', 'MTN', '--percent', '1.234'],
    ['set-share', '--product', 'airtime', '--role', 'agent', '--percent', '-1'],
  ])('refuses %s %s %s %s %s %s %s', async (...words) => {
    expect((await run('commission', ...words)).exitCode).toBe(2)
  })

  it.each([
    ['set-rate', '--product', 'data', '--network', 'MTN', '--percent', '1'],
    ['set-share', '--product', 'nothing', '--role', 'agent', '--percent', '1'],
  ])('refuses %s %s %s, which earns no commission, and names the products that do', async (...words) => {
    const { exitCode, stderr } = await run('commission', ...words)
    expect(exitCode).toBe(2)
    expect(stderr).toContain('--product must be one of airtime, utilities')
  })
})

describe('makola reconcile', () => {
  it('prints what a statement says that our orders do not, as JSON and as a table', async () => {
    const file = join(desk.folder, 'statement.csv')
    await writeFile(file, 'Client Reference,Amount\nnobody-knows-it,20.00\n')
    expect(await json('reconcile', '--supplier', 'hubtel', file)).toEqual({
      supplier: 'hubtel',
      from: null,
      to: null,
      lines: 1,
      matched: 0,
      ours_only: [],
      theirs_only: [
        {
          line: 2,
          our_reference: 'nobody-knows-it',
          amount: 20,
          commission: null,
          at: null,
          why: 'unknown_reference',
          order: null,
        },
      ],
      amount_differs: [],
      unreadable_lines: [],
    })
    const { stdout } = await run('reconcile', '--supplier', 'hubtel', file)
    expect(stdout).toContain('0 matched, 0 ours only, 1 theirs only, 0 with another amount.')
    expect(stdout).toMatch(/2 +nobody-knows-it +20\.00 +we know no such reference/)
  })

  it.each([
    ['a supplier that does not exist', 'nobody', 'reference,amount\n', 'There is no supplier "nobody"'],
    [
      'a file without a line that can be read',
      'hubtel',
      'reference,amount\na,5.709\n',
      'None of the file’s lines can be read (1)',
    ],
    ['a file without our references', 'hubtel', 'name,amount\na,5\n', 'no column for the reference'],
  ])('refuses %s', async (_what, supplier, text, message) => {
    const file = join(desk.folder, 'other.csv')
    await writeFile(file, text)
    const { exitCode, stderr } = await run('reconcile', '--supplier', supplier, file)
    expect(exitCode).toBe(1)
    expect(stderr).toContain(message)
  })

  it('looks for our orders until the end of a day that is given alone', async () => {
    const file = join(desk.folder, 'period.csv')
    await writeFile(file, 'reference,amount\nnobody-knows-it,20.00\n')
    const period = (to: string) => json('reconcile', '--supplier', 'hubtel', file, '--from', '2026-07-01', '--to', to)
    expect(await period('2026-07-31')).toMatchObject({ from: '2026-07-01T00:00:00.000Z', to: '2026-07-31T23:59:59.999Z' })
    expect(await period('2026-07-01')).toMatchObject({ to: '2026-07-01T23:59:59.999Z' })
    expect(await period('2026-07-31T12:00Z')).toMatchObject({ to: '2026-07-31T12:00:00.000Z' })
  })

  it('refuses a time that ends before it begins', async () => {
    const file = join(desk.folder, 'period.csv')
    await writeFile(file, 'reference,amount\n')
    const { exitCode, stderr } = await run(
      'reconcile',
      '--supplier',
      'hubtel',
      file,
      '--from',
      '2026-07-02',
      '--to',
      '2026-07-01',
    )
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('--from must not be after --to')])
  })

  it('imports the file once, lists its differences, and lets people assign and close them', async () => {
    const file = join(desk.folder, 'march.csv')
    await writeFile(file, 'reference,amount\nmarch-1,20.00\nmarch-2,5.00\n')
    const shown = await run('reconcile', '--supplier', 'hubtel', file)
    expect(shown.stdout).toContain('Imported as march.csv.')
    expect((await run('reconcile', '--supplier', 'hubtel', file)).stdout).toContain('This file was imported before')
    const list = async (...words: string[]) =>
      (await json('reconcile', 'differences', '--supplier', 'hubtel', ...words)) as {
        differences: { id: string; file: string; line: number; our_reference: string }[]
        next: string | null
      }
    const { differences: all } = await list('--open')
    const march = all.filter((difference) => difference.file === 'march.csv')
    expect(march.map(({ our_reference: reference, line }) => `${reference} ${line}`).toSorted()).toEqual([
      'march-1 2',
      'march-2 3',
    ])
    const [{ id } = { id: '' }] = march
    expect(await json('reconcile', 'assign', id, '--to', 'esi', '--by', 'ama')).toEqual({ id, assigned_to: 'esi' })
    expect(await json('reconcile', 'close', id, '--reason', 'paid back', '--by', 'ama')).toMatchObject({ closed_by: 'ama' })
    expect((await list('--open')).differences).toHaveLength(all.length - 1)
    expect((await run('reconcile', 'close', id, '--reason', 'paid back', '--by', 'ama')).exitCode).toBe(1)
    const first = await list('--limit', '1')
    const rest = await list('--after', String(first.next))
    expect([...first.differences, ...rest.differences]).toEqual((await list()).differences)
  })

  it.each([
    ['no file', ['--supplier', 'hubtel']],
    ['no supplier', ['july.csv']],
    ['a difference that is not named by its id', ['close', 'july', '--reason', 'r', '--by', 'ama']],
    ['a difference given to nobody', ['assign', '0190a1b2-0000-7000-8000-000000000000', '--to', ' ', '--by', 'ama']],
  ])('refuses %s as wrong usage', async (_what, words) => {
    expect((await run('reconcile', ...words)).exitCode).toBe(2)
  })

  it.each([
    { words: ['reconcile', 'close', newId(), '--reason', 'r', '--by', 'ama'], command: 'makola reconcile differences' },
    {
      words: ['supplier', 'float-topup', 'nobody', '--by', 'ama', '--amount', '5', '--note', 'n'],
      command: 'makola supplier list',
    },
  ])('names the command that helps when $words.0 $words.1 cannot be done', async ({ words, command }) => {
    const { exitCode, stderr } = await run(...words)
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining(`See \`${command}\`.`)])
  })

  it('shows how a float moved day by day, with what the operator put in', async () => {
    const supplier = ['--supplier', 'hubtel']
    await sql`
      insert into supplier_float_reads (supplier, read_at, float_pesewas)
      values ('hubtel', '2026-07-01T00:10Z', 10000), ('hubtel', '2026-07-01T20:00Z', 59650)`.execute(desk.db)
    const topUp = ['supplier', 'float-topup', 'hubtel', '--by', 'ama', '--at', '2026-07-01T12:00Z']
    expect(await json(...topUp, '--amount', '500.00', '--note', 'transfer 77')).toMatchObject({ amount: 500 })
    await json(...topUp, '--amount', '-3.50', '--note', 'its fee')
    const period = ['--from', '2026-07-01', '--to', '2026-07-02']
    expect(await json('reconcile', 'float', ...supplier, ...period)).toMatchObject({
      supplier: 'hubtel',
      days: [
        { day: '2026-07-01', moved: 496.5, expected: 496.5, top_ups: 496.5, drift: 0 },
        { day: '2026-07-02', moved: null, expected: null, drift: null },
      ],
    })
    expect((await run('reconcile', 'float', ...supplier, ...period)).stdout).toContain('moved 496.50, expected 496.50')
    expect((await json('reconcile', 'float', ...supplier))['days']).toHaveLength(7)
  })

  it.each([
    ['reconcile float without a supplier', 2, ['reconcile', 'float']],
    ['years of reconcile float', 2, ['reconcile', 'float', '--supplier', 'hubtel', '--from', '2020-01-01']],
    ['reconcile float of nobody', 1, ['reconcile', 'float', '--supplier', 'nobody']],
    ['a top-up of nothing', 2, ['supplier', 'float-topup', 'hubtel', '--by', 'ama', '--amount', '0', '--note', 'n']],
    ['a top-up of nobody', 1, ['supplier', 'float-topup', 'nobody', '--by', 'ama', '--amount', '5', '--note', 'n']],
  ])('refuses %s with exit code %i', async (_what, exitCode, words) => {
    expect((await run(...words)).exitCode).toBe(exitCode)
  })

  it('refuses a file that is not there', async () => {
    expect((await run('reconcile', '--supplier', 'hubtel', join(desk.folder, 'nothing.csv'))).stderr).toContain('cannot be read')
  })
})
