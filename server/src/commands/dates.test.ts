import type { Command } from 'commander'
import { beforeAll, describe, expect, it } from 'vitest'
import { makeAccount } from '../../test/make-account.ts'
import { readTodayThatLasts } from '../../test/running/today-that-lasts.ts'
import { setUpCommandLine } from '../../test/set-up-command-line.ts'
import { allCommands } from '../all-commands.ts'
import { addDays } from '../reports/period.ts'
import { buildProgram } from './frame/run-command-line.ts'

const desk = setUpCommandLine(allCommands)
const account = ['--account', 'ACCOUNT']
const movement = ['--amount', '5.00', '--note', 'n', '--by', 'ama']

/** Every command with options that are dates: the other words that it needs, and those options. */
const dated: readonly (readonly [command: readonly string[], needs: readonly string[], options: readonly string[]])[] = [
  [['account', 'create'], ['--email', 'kofi@example.com', '--name', 'Kofi', '--role', 'agent'], ['--expires-at']],
  [['account', 'set-role'], [...account, '--role', 'agent'], ['--expires-at']],
  [['wallet', 'statement'], account, ['--month', '--from', '--to']],
  [['packages', 'schedule', 'add'], ['/dev/null'], ['--at']],
  [
    ['vouchers', 'withdraw'],
    ['--type', 'WASSCE', '--reason', 'r', '--by', 'ama'],
    ['--imported-from', '--imported-to'],
  ],
  [['commission', 'statement'], account, ['--month', '--from', '--to']],
  [['setting', 'set'], ['maintenance', 'true'], ['--until']],
  [['order', 'list'], [], ['--from', '--to']],
  [['supplier', 'float-topup'], ['datamart', ...movement], ['--at']],
  [
    ['reconcile', 'float'],
    ['--supplier', 'datamart'],
    ['--from', '--to'],
  ],
  [['reconcile'], ['/dev/null', '--supplier', 'datamart'], ['--from', '--to']],
  [['report', 'sales'], [], ['--from', '--to']],
  [['report', 'balances'], [], ['--at']],
  [['report', 'tax'], [], ['--from', '--to']],
  [['cost', 'set'], ['vouchers', '--amount', '1.50'], ['--from']],
  [['log'], [], ['--from', '--to']],
  [['audit'], ['--chain'], ['--from']],
  [['archive'], [], ['--before']],
  [['webhook', 'replay'], ['ENDPOINT'], ['--from']],
  [['backup', 'note'], ['--kind', 'pg_dump', '--place', 'here'], ['--at']],
  [['notices', 'list'], account, ['--from', '--to']],
]

const lines = dated.flatMap(([command, needs, options]) =>
  options.map((option) => [[...command, option].join(' '), [...command, ...needs, option]] as const),
)

const namesDate = /^<(?:date|moment|day|month|time)>$|^--(?:from|to|at|until|month|expires-at)$/

function listDates(command: Command, path: readonly string[] = []): string[] {
  const own = command.options.filter(({ flags, long }) => namesDate.test(flags.split(' ')[1] ?? '') || namesDate.test(long ?? ''))
  const named = own.filter(({ flags }) => !/<(?:person|folder)>/.test(flags)).map(({ long }) => [...path, long].join(' '))
  return [...named, ...command.commands.flatMap((each) => listDates(each, [...path, each.name()]))]
}

let accountId: string
beforeAll(async () => {
  ;({ accountId } = await makeAccount(desk.db))
})

const run = (words: readonly string[], date: string) =>
  desk.run(...words.map((word) => (word === 'ACCOUNT' ? accountId : word)), date)

describe('dates of commands', () => {
  it('are all here', () => {
    const program = buildProgram('0.0.0', allCommands, () => undefined)
    expect(lines.map(([name]) => name).toSorted()).toEqual(listDates(program).toSorted())
  })

  it.each(lines)('%s: is in the years 2000 to 2099', async (name, words) => {
    const isMonth = name.endsWith('--month')
    for (const date of ['0000-01-01', '0001-01-01', '1999-12-31', '2100-01-01', '9999-12-31', '+275760-09-13']) {
      const { exitCode, stderr } = await run(words, isMonth ? date.slice(0, -3) : date)
      expect([exitCode, stderr]).toEqual([2, expect.stringContaining('in the years 2000 to 2099')])
    }
  })

  it('of a report cover three years at most', async () => {
    for (const report of ['sales', 'tax']) {
      const { exitCode, stderr } = await run(['report', report, '--to', '2026-11-01', '--from'], '2000-01-01')
      expect([exitCode, stderr]).toEqual([2, 'makola: A report covers three years at most.\n'])
    }
  })

  it('of a report do not begin in the future', async () => {
    const tomorrow = addDays(await readTodayThatLasts(), 1)
    for (const words of [
      ['report', 'sales', '--to', '2050-01-01', '--from', tomorrow],
      ['report', 'tax', '--to', '2050-01-01', '--from', tomorrow],
      ['report', 'sales', '--to', '2050-01-01'],
    ])
      expect(await desk.run(...words)).toMatchObject({ exitCode: 2, stderr: 'makola: A report must not begin in the future.\n' })
  })

  it('of balances are past: today counts, a later moment of it does not', async () => {
    const today = await readTodayThatLasts()
    expect(await run(['report', 'balances', '--at'], today)).toMatchObject({ exitCode: 0 })
    for (const later of ['2050-01-01', addDays(today, 1), new Date(Date.now() + 60_000).toISOString()]) {
      const refused = await run(['report', 'balances', '--at'], later)
      expect(refused).toMatchObject({ exitCode: 2, stderr: 'makola: --at must not be in the future.\n' })
    }
  })
})
