import process from 'node:process'
import { afterEach, beforeEach, expect, vi } from 'vitest'
import { mustPassAudit } from '../../test/must-pass-audit.ts'
import { setUpCommandLine } from '../../test/set-up-command-line.ts'
import { allCommands } from '../all-commands.ts'

/**
 * Sets up tests of actions that take two people: a command line, and before each test a new account. After each test
 * `SUDO_USER` is empty, the installation is not live, and the books are audited.
 */
export function setUpTwoPeople() {
  const desk = setUpCommandLine(allCommands)
  const { run, json } = desk
  /** The account of the running test; `no` differs for each test. */
  const account = { no: 0, email: '' }

  beforeEach(async () => {
    account.no += 1
    // A new user for each test, because earlier tests may have used up the limit of one person.
    vi.stubEnv('SUDO_USER', `clerk${account.no}`)
    account.email = `two-people-${account.no}@example.test`
    await json('account', 'create', '--email', account.email, '--name', 'Ama', '--role', 'agent')
  })
  afterEach(async () => {
    vi.stubEnv('SUDO_USER', '')
    await desk.database.ownerDb.deleteFrom('installation').execute()
    await desk.database.ownerDb.deleteFrom('settings').execute()
    await mustPassAudit(desk.db)
  })

  const goLive = () => desk.database.ownerDb.insertInto('installation').values({ mode: 'live' }).execute()
  const credit = (amount: string, ...more: string[]) =>
    ['wallet', 'credit', '--account', account.email, '--amount', amount, ...more] as const
  const as = (osUser: string) => vi.stubEnv('SUDO_USER', osUser)

  return {
    desk,
    run,
    json,
    account,
    goLive,
    endLive: () => desk.database.ownerDb.deleteFrom('installation').execute(),
    /** Makes this user of the operating system run the next commands. */
    as,
    /** The command line of a credit to the test's account. */
    credit,
    balance: async () => (await json('wallet', 'show', '--account', account.email))['balance'],
    listed: async (...more: string[]) => (await json('approvals', 'list', ...more))['approvals'] as Record<string, unknown>[],
    /** The expected result of a refused command. */
    refused: (text: string, exitCode = 1) => ({ exitCode, stdout: '', stderr: expect.stringContaining(text) as string }),
    /** Raises the limit of one person, which takes two people once money has moved. */
    agreeOnLimit: async (amount: string): Promise<void> => {
      const before = process.env['SUDO_USER'] ?? ''
      const proposed = await json('setting', 'set', 'credit_limit_one_person', amount, '--by', 'Efua')
      if (proposed['status'] === 'pending') {
        as('second-owner')
        await json('approvals', 'confirm', String(proposed['approval_id']), '--by', 'Second')
        as(before)
      }
    },
    /** Makes a credit of GHS 5,000 that waits on a live installation, proposed by ama. */
    proposeBigCredit: async (id = `big-${account.no}`): Promise<string> => {
      await goLive()
      as('ama')
      const proposed = await json(...credit('5000', '--id', id, '--by', 'Ama'))
      expect(proposed).toEqual({ balance: 0, approval_id: expect.any(String), status: 'pending' })
      return String(proposed['approval_id'])
    },
  }
}
