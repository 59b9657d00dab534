import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Command } from 'commander'
import { describe, expect, it, vi } from 'vitest'
import { setUpCommandLine } from '../../test/set-up-command-line.ts'
import { allCommands } from '../all-commands.ts'

function leavesOf(command: Command, path: readonly string[] = []): string[] {
  if (command.commands.length === 0) return [path.join(' ')]
  return command.commands.flatMap((each) => leavesOf(each, [...path, each.name()]))
}

const desk = setUpCommandLine(allCommands, { SECRETS_KEY: Buffer.alloc(32, 1).toString('base64') })
const { run, json } = desk

/** These commands change nothing that an operator decides. */
const reading = `webhook list, webhook deliveries, webhook show, start, find, completion, api, worker, simulator, upgrade, doctor, ready, audit, archive list, archive verify, backup status, history show, log, reconcile differences, reconcile float, account show, account list, account business-requests, key list, wallet show, wallet statement,
  approvals list, sender list, packages export, vouchers count, afa list, commission show, commission statement, commission rates, cost list, setting get,
  setting list, setting returns, order list, order show, order reports, supplier list, supplier packages, packages offers, packages history, packages schedule list, prefix list, ported list, route list, alert list, alert test, notices list, problem list, problem show, personal list, sms check-text,
  member list, staff list, top-up list, top-up show, gateway list, gateway test, report sales, report float, report balances, report vouchers, report tax`

/**
 * These commands need things that this file does not make: an order, a top-up, a business request, an alarm, a difference.
 * `migrate` needs the login that owns the tables. Other tests check the lines that they write into the log.
 */
const loggedElsewhere = `order ask, order settle, order refund, order take-back, order adjust, order answer-report, problem answer, problem close, afa claim, afa take-over, afa complete, afa cancel,
  afa export, top-up confirm, top-up decline, account decline-business, staff reset-second-factor, member reset-second-factor, member keep-second-factor, alert clear, packages reopen, packages schedule carry-out, webhook pause, webhook resume, webhook test, webhook resend, webhook replay, migrate, archive bring-back, backup restore, history accept, history hold, history place, history release, reconcile assign, reconcile close`

const listOf = (text: string) => text.split(',').map((each) => each.trim())

const ama = ['--account', 'ama@example.test']
let ids: Record<string, string> = {}
const tomorrow = `${new Date(Date.now() + 24 * 3_600 * 1_000).toISOString().slice(0, 16)}Z`

/** One command line for each of the other commands, in an order in which they work. */
const changing: Readonly<Record<string, () => string[]>> = {
  'account create': () => ['--email', 'ama@example.test', '--name', 'Ama', '--role', 'agent'],
  'account set-role': () => [...ama, '--role', 'dealer'],
  'account set-notices': () => [...ama, '--low-balance', '50'],
  'account suspend': () => ama,
  'account reactivate': () => ama,
  'account approve-business': () => ama,
  'account withdraw-business': () => ama,
  'member create': () => [...ama, '--email', 'kofi@example.test', '--role', 'buyer'],
  'member set-role': () => [...ama, '--email', 'kofi@example.test', '--role', 'viewer'],
  'member remove': () => [...ama, '--email', 'kofi@example.test'],
  'staff create': () => ['--email', 'kofi@example.test', '--role', 'support'],
  'staff set-role': () => ['--email', 'kofi@example.test', '--role', 'finance'],
  'staff end-sessions': () => ['--email', 'kofi@example.test'],
  'staff remove': () => ['--email', 'kofi@example.test'],
  'key create': () => [...ama, '--type', 'standard', '--pending'],
  'key approve': () => [ids['key_id'] ?? ''],
  'key allow': () => [ids['key_id'] ?? '', '203.0.113.7'],
  'key rotate': () => [ids['key_id'] ?? ''],
  'key revoke': () => [ids['key_id'] ?? ''],
  'webhook make': () => ['https://shop.example.test/hook', ...ama],
  'wallet credit': () => [...ama, '--amount', '50', '--id', 'receipt-1'],
  'sms credit': () => [...ama, '--credits', '50', '--id', 'receipt-2'],
  'wallet correct': () => [...ama, '--amount', '-1', '--reason', 'r', '--by', 'ama'],
  'approvals confirm': () => [ids['approval_id'] ?? '', '--by', 'kofi'],
  'sms correct': () => [...ama, '--credits', '-1', '--reason', 'r', '--by', 'ama'],
  'approvals refuse': () => [ids['approval_id'] ?? '', '--by', 'kofi'],
  'sender request': () => ['AMASHOP', ...ama],
  'sender approve': () => ['AMASHOP', ...ama],
  'sender reject': () => ['AMASHOP', ...ama, '--reason', 'r'],
  'sender pool add': () => ['MAKOLA'],
  'packages import': () => [join(desk.folder, 'prices.csv')],
  'packages schedule add': () => [join(desk.folder, 'later.csv'), '--at', tomorrow],
  'packages schedule cancel': () => [ids['set_id'] ?? ''],
  'voucher-type set': () => ['WASSCE', '--price-customer', '3', '--price-agent', '2', '--price-dealer', '1'],
  'vouchers import': () => ['--type', 'WASSCE', join(desk.folder, 'vouchers.csv')],
  'vouchers withdraw': () => ['--type', 'WASSCE', '--all', '--reason', 'r', '--by', 'ama'],
  'commission transfer': () => [...ama, '--amount', '1'],
  'cost set': () => ['afa', '--amount', '8.00'],
  'commission set-rate': () => ['--product', 'airtime', '--network', 'MTN', '--percent', '3'],
  'commission set-share': () => ['--product', 'airtime', '--role', 'agent', '--percent', '50'],
  'setting set': () => ['data_enabled', 'false', '--reason', 'r', '--until', '4h'],
  'setting keep': () => ['data_enabled', '--reason', 'r'],
  'supplier float-topup': () => ['datamart', '--amount', '500', '--note', 'transfer 77', '--by', 'ama'],
  'supplier set': () => ['datamart', 'enabled=false'],
  'route add': () => ['datamart/data/MTN', '--priority', '7'],
  'route pause': () => ['datamart/data/MTN', '--reason', 'r'],
  'route resume': () => ['datamart/data/MTN'],
  'prefix add': () => ['057', 'MTN'],
  'prefix remove': () => ['057', 'MTN'],
  'ported set': () => ['0241234567', 'Telecel'],
  'ported remove': () => ['0241234567'],
  'gateway set': () => ['paystack', 'credentials.secretKey=sk_test'],
  'report recount': () => [],
  'secrets rotate': () => [],
  'backup note': () => ['--kind', 'pg_dump', '--place', 'another machine'],
  'personal export': () => ['0241234567', '--reason', 'r'],
  'personal erase': () => ['0241234567', '--reason', 'r', '--by', 'ama'],
}

const newestId = async () => {
  const newest = await desk.db.selectFrom('operator_log').select('id').orderBy('id', 'desc').limit(1).executeTakeFirst()
  return newest?.id ?? 0
}

describe('the operator’s log', () => {
  it('is known to be written, or not to be needed, by each command', () => {
    const program = new Command('makola')
    for (const register of allCommands) register(program)
    const known = [...listOf(reading), ...listOf(loggedElsewhere), ...Object.keys(changing)]
    expect(leavesOf(program).toSorted()).toEqual(known.toSorted())
  })

  it('has a line for every command that changes something, with the user who typed it', async () => {
    vi.stubEnv('SUDO_USER', 'esi')
    await writeFile(join(desk.folder, 'vouchers.csv'), 'pin,serial_number\nP1,S1\n')
    const header = 'network,volume_gb,price_customer,price_agent,price_dealer,cost_datamart,code_datamart'
    await writeFile(join(desk.folder, 'prices.csv'), `${header}\nMTN,1,4.50,4.20,4.00,3.00,1\n`)
    await writeFile(join(desk.folder, 'later.csv'), `${header}\nMTN,1,4.60,4.20,4.00,3.00,1\n`)
    for (const [name, wordsOf] of Object.entries(changing)) {
      if (name === 'commission transfer') await giveCommission()
      const before = await newestId()
      const outcome = await run(...name.split(' '), ...wordsOf(), '--json')
      expect({ name, ...outcome }).toMatchObject({ name, exitCode: 0, stderr: '' })
      ids = { ...ids, ...(JSON.parse(outcome.stdout) as Record<string, string>) }
      const { entries } = await json('log', '--limit', '5')
      const mine = (entries as { id: number; action: string; os_user: string }[]).filter(({ id }) => id > before)
      expect({ name, users: [...new Set(mine.map((entry) => entry.os_user))] }).toEqual({ name, users: ['esi'] })
    }
    vi.stubEnv('SUDO_USER', '')
  })

  it('says the unit of every amount; packages have the columns of their price list', async () => {
    const { entries } = await json('log', '--limit', '1000')
    const bare: string[] = []
    const lines = (entries as { action: string; details: object }[]).filter(({ action }) => !action.startsWith('packages'))
    for (const { action, details } of lines)
      JSON.stringify(details, (name, value: unknown) => {
        if (typeof value === 'number' && /^(amount|refund|commission|main|price_\w+)$/.test(name))
          bare.push(`${action}: ${name} ${value}`)
        return value
      })
    expect(bare).toEqual([])
  })

  async function giveCommission(): Promise<void> {
    const { account_id: accountId } = await json('account', 'show', ...ama)
    const wallet = desk.database.ownerDb.updateTable('wallets').where('account_id', '=', String(accountId))
    await wallet.where('purse', '=', 'commission').set({ balance: 500 }).execute()
  }
})

describe('makola log', () => {
  const entriesOf = async (...words: string[]) => {
    const { entries, next } = await json('log', ...words)
    return {
      next,
      entries: entries as { id: number; at: string; by: string; os_user: string; action: string; subject: string }[],
    }
  }
  const actionsOf = async (...words: string[]) => (await entriesOf(...words)).entries.map(({ action }) => action)

  it('is newest first, a page at a time', async () => {
    const { entries: all, next: end } = await entriesOf('--limit', '1000')
    expect(end).toBeNull()
    expect(all.map(({ id }) => id)).toEqual(all.map(({ id }) => id).toSorted((a, b) => b - a))
    const first = await entriesOf('--limit', '3')
    const second = await entriesOf('--limit', '1000', '--before', String(first.next))
    expect([...first.entries, ...second.entries]).toEqual(all)
  })

  it('of one person has what they did by name and by user', async () => {
    vi.stubEnv('SUDO_USER', 'yaw')
    await json('setting', 'set', 'afa_enabled', 'false')
    const { approval_id: id } = await json('wallet', 'correct', ...ama, '--amount', '-2', '--reason', 'r', '--by', 'Adwoa')
    vi.stubEnv('SUDO_USER', '')
    expect(await actionsOf('--by', 'YAW')).toEqual(['wallet correct propose', 'setting set'])
    expect(await actionsOf('--by', 'adwoa')).toEqual(['wallet correct propose'])
    expect((await entriesOf('--by', 'adwoa')).entries).toMatchObject([{ by: 'Adwoa', os_user: 'yaw' }])
    await json('approvals', 'refuse', String(id), '--by', 'Adwoa')
  })

  it('about one thing finds an account by its e-mail, its keys included', async () => {
    const actions = await actionsOf('--subject', 'AMA@example.test')
    expect(actions).toContain('account create')
    expect(actions).toContain('key create')
    expect(actions).not.toContain('setting set')
    expect(await actionsOf('--subject', 'data_enabled')).toEqual(['setting keep', 'setting set'])
    expect(await actionsOf('--subject', 'nothing')).toEqual([])
  })

  it('names accounts where people read it, and keeps their ids in the JSON', async () => {
    const { stdout } = await run('log', '--subject', 'ama@example.test', '--limit', '1000')
    const { entries } = await entriesOf('--subject', 'ama@example.test', '--limit', '1000')
    const created = entries.find(({ action }) => action === 'account create')
    expect(stdout).toContain('  account create  Ama  {')
    expect(created?.subject).toMatch(/^[0-9a-f-]{36}$/)
    expect(stdout).not.toContain(created?.subject)
  })

  it('of a period has what happened in it', async () => {
    const { entries } = await entriesOf('--limit', '1000')
    const middle = entries[5]?.at ?? ''
    const [later, earlier] = [await entriesOf('--from', middle), await entriesOf('--to', middle, '--limit', '1000')]
    expect(later.entries.every(({ at }) => at >= middle)).toBe(true)
    expect(earlier.entries.every(({ at }) => at <= middle)).toBe(true)
    expect(later.entries.length + earlier.entries.length).toBeGreaterThanOrEqual(entries.length)
    expect(await actionsOf('--from', '2099-01-01')).toEqual([])
  })

  it.each([
    ['--limit', '0'],
    ['--limit', '1001'],
    ['--before', 'x'],
    ['--from', 'soon'],
  ])('refuses %s %s', async (...words) => {
    expect((await run('log', ...words)).exitCode).toBeGreaterThan(0)
  })
})
