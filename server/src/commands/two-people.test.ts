import process from 'node:process'
import { type RawBuilder, sql } from 'kysely'
import { describe, expect, it, vi } from 'vitest'
import { allApprovalKinds } from '../all-approval-kinds.ts'
import { runAudit } from '../money/audit.ts'
import { moneyAuditChecks } from '../money/money.audit.ts'
import { confirmApproval } from '../platform/approvals/decide-approval.ts'
import { inTransaction } from '../platform/database/in-transaction.ts'
import { examineInstallation } from './run/doctor/examine-installation.ts'
import { setUpTwoPeople } from './set-up-two-people.fixture.ts'

const { desk, run, json, account, goLive, endLive, as, credit, balance, listed, refused, proposeBigCredit, agreeOnLimit } =
  setUpTwoPeople()
const correct = (amount: string, by: string, ...more: string[]) => [
  ...`wallet correct --account ${account.email} --by ${by} --amount`.split(' '),
  amount,
  '--reason',
  'typed twice',
  ...more,
]

describe('wallet credit', () => {
  it('by one person goes up to GHS 1,000 in 24 hours on a live installation, and to any amount with the simulator', async () => {
    expect(await json(...credit('10000000'))).toMatchObject({ balance: 10_000_000, status: 'done' })
    await goLive()
    as('limited')
    expect(await json(...credit('1000.00', '--id', 'limit-1'))).toMatchObject({ balance: 10_001_000, status: 'done' })
    expect(await json(...credit('0.01', '--id', 'limit-2'))).toMatchObject({ balance: 10_001_000, status: 'pending' })
    const said = await run(...credit('5', '--id', 'limit-3', '--by', 'another-name'))
    expect(said.stdout).toMatch(
      /^One person credits at most GHS 1,000\.00 within 24 hours\. You credited GHS 1,000\.00 in the last 24 hours already\.\nNothing moved yet/,
    )
    // This person may credit the amount alone, but here confirms the waiting proposal, or the amount would be credited twice.
    as('second')
    const { approval_id: waiting } = (await listed())[0] ?? {}
    const done = await json(...credit('5', '--id', 'limit-3', '--by', 'second'))
    expect(done).toEqual({ balance: 10_001_005, approval_id: waiting, status: 'done' })
  })

  it('is held to the limit with SUPPLIERS=live, also before the first process has stamped the database', async () => {
    vi.stubEnv('SUPPLIERS', 'live')
    expect(await json(...credit('1000.01', '--id', 'unstamped-1'))).toMatchObject({ balance: 0, status: 'pending' })
    vi.stubEnv('SUPPLIERS', 'simulator')
  })

  it('takes two people above the setting, wherever it is set', async () => {
    await json('setting', 'set', 'credit_limit_one_person', '20.50')
    expect(await json(...credit('20.50'))).toMatchObject({ balance: 20.5, status: 'done' })
    expect(await json(...credit('0.01'))).toMatchObject({ balance: 20.5, status: 'pending' })
    await agreeOnLimit('5000')
    await goLive()
    expect(await json(...credit('4000', '--id', 'set-1'))).toMatchObject({ balance: 4_020.5, status: 'done' })
    expect(await run('setting', 'set', 'credit_limit_one_person', '1.005')).toMatchObject(refused('an amount in GHS from 0', 2))
  })

  it('says of an id that it was credited before, also to whoever would need a second person now', async () => {
    const first = await json(...credit('3000', '--id', 'again-1', '--by', 'ama'))
    expect(first).toMatchObject({ balance: 3_000, credited_before: false })
    await goLive()
    expect(await json(...credit('3000', '--id', 'again-1'))).toEqual({ ...first, credited_before: true })
    const said = await run(...credit('3000', '--id', 'again-1'))
    expect(said.stdout).toMatch(/^again-1 was credited before, at \d{4}-.*Z by ama: nothing moved now\.\n/)
    expect(await balance()).toBe(3_000)
  })

  it('that waits moves nothing until another person confirms it, once', async () => {
    const id = await proposeBigCredit()
    expect(await balance()).toBe(0)
    expect((await listed())[0]).toMatchObject({
      approval_id: id,
      kind: 'wallet credit',
      status: 'pending',
      proposed_by: 'Ama',
      proposed_os_user: 'ama',
      what: expect.stringMatching(/^credit GHS 5,000.00 to account /) as string,
      before: 'GHS 0.00',
      after: 'GHS 5,000.00',
    })
    as('kofi')
    for (const name of ['Ama', 'ama', ' AMA ', 'cli:ama', 'a\u200bma'])
      expect(await run('approvals', 'confirm', id, '--by', name)).toMatchObject({ exitCode: expect.any(Number), stdout: '' })
    expect(await balance()).toBe(0)
    expect(await json('approvals', 'confirm', id, '--by', 'Kofi')).toEqual({ approval_id: id, status: 'done' })
    expect(await balance()).toBe(5_000)
    expect(await run('approvals', 'confirm', id, '--by', 'Esi')).toMatchObject(refused('was confirmed by Kofi already'))
    expect(await balance()).toBe(5_000)
    expect((await listed()).map((each) => each['approval_id'])).not.toContain(id)
    expect(await listed('--all', '--limit', '1')).toMatchObject([
      { approval_id: id, status: 'done', decided_by: 'Kofi', decided_os_user: 'kofi' },
    ])
  })

  it.each([
    { who: 'named by root', uid: 0, mark: 'SUDO_USER' },
    { who: 'with a login', uid: 1_000, mark: undefined },
  ])('confirmed by a user $who has the mark $mark in the log, and doctor knows', async ({ uid, mark }) => {
    const id = await proposeBigCredit()
    const user = `second-${uid}`
    as(user)
    const getuid = vi.spyOn(process, 'getuid').mockReturnValue(uid)
    await json('approvals', 'confirm', id, '--by', 'Kofi')
    getuid.mockRestore()
    const line = desk.db.selectFrom('operator_log').select('details').where('action', '=', 'wallet credit confirm')
    const { details } = await line.orderBy('id', 'desc').limit(1).executeTakeFirstOrThrow()
    expect(details).toMatchObject({ approval_id: id })
    expect(details['os_user_named_in']).toBe(mark)
    const saidByDoctor = async () => {
      const findings = await examineInstallation()
      return findings.filter(({ topic, message }) => topic === 'two people' && message.includes(user))
    }
    const warning = {
      level: 'warning',
      message: expect.stringMatching(/^In 30 days root confirmed .*, by SUDO_USER\./) as string,
    }
    expect(await saidByDoctor()).toMatchObject(mark === undefined ? [] : [warning])
    await endLive()
    expect(await saidByDoctor()).toEqual([])
  })

  it('said again stays one proposal, and said by a second person it is done; other figures are refused', async () => {
    const id = await proposeBigCredit()
    expect(await json(...credit('5000', '--id', `big-${account.no}`, '--by', 'ama'))).toMatchObject({ approval_id: id })
    expect(await run(...credit('6000', '--id', `big-${account.no}`, '--by', 'ama'))).toMatchObject(
      refused(`agree on one, or refuse proposal ${id} first`),
    )
    as('kofi')
    expect(await json(...credit('5000', '--id', `big-${account.no}`, '--by', 'Kofi'))).toEqual({
      balance: 5_000,
      approval_id: id,
      status: 'done',
    })
    expect(await json(...credit('5000', '--id', `big-${account.no}`))).toMatchObject({ balance: 5_000, credited_before: true })
  })

  it('whose id was used while it waited is not made a second time', async () => {
    const id = await proposeBigCredit()
    await agreeOnLimit('9000')
    await json(...credit('5000', '--id', 'other-id'))
    await sql`insert into wallet_credits (id, account_id, purse, external_id, amount, actor)
      select gen_random_uuid(), id, 'main', ${`big-${account.no}`}, 500000, 'esi' from accounts where email = ${account.email}`.execute(
      desk.database.ownerDb,
    )
    as('kofi')
    expect(await run('approvals', 'confirm', id, '--by', 'Kofi')).toMatchObject(refused('was credited while this waited, by esi'))
    expect(await balance()).toBe(5_000)
    await desk.database.ownerDb.transaction().execute(async (tx) => {
      await sql`alter table wallet_credits disable trigger user`.execute(tx)
      await sql`delete from wallet_credits where external_id = ${`big-${account.no}`}`.execute(tx)
      await sql`alter table wallet_credits enable trigger user`.execute(tx)
    })
  })

  it('confirmed by 32 people at once is made once', async () => {
    const approvalId = await proposeBigCredit()
    const results = await Promise.allSettled(
      Array.from({ length: 32 }, (_, index) =>
        inTransaction(desk.db, (tx) =>
          confirmApproval(tx, allApprovalKinds, { approvalId, person: { by: `person ${index}`, osUser: `user${index}` } }),
        ),
      ),
    )
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await balance()).toBe(5_000)
  })

  it('of SMS credits has a limit of its own', async () => {
    const creditSms = (credits: string, id: string) =>
      json('sms', 'credit', '--account', account.email, '--credits', credits, '--id', id)
    await goLive()
    expect(await creditSms('20000', 'sms-1')).toMatchObject({ credits: 20_000, status: 'done' })
    expect(await creditSms('20001', 'sms-2')).toMatchObject({ credits: 20_000, status: 'pending' })
    await json('setting', 'set', 'sms_credit_limit_one_person', '0')
    expect(await creditSms('1', 'sms-3')).toMatchObject({ credits: 20_000, status: 'pending' })
  })
})

describe('wallet correct', () => {
  it('takes a credit back by two people, linked to it, and never more of it than it was', async () => {
    const { credit_id: creditId } = await json(...credit('100', '--id', 'wrong-1'))
    await json(...credit('70', '--id', 'right-1'))
    const proposed = await json(...correct('-60', 'ama', '--of', 'wrong-1'))
    expect(proposed).toEqual({ approval_id: expect.any(String), status: 'pending' })
    expect(await balance()).toBe(170)
    expect(await json(...correct('-60', 'kofi', '--of', String(creditId)))).toEqual({ ...proposed, status: 'done' })
    expect(await balance()).toBe(110)
    expect(await run(...correct('-40.01', 'ama', '--of', 'wrong-1'))).toMatchObject(
      refused('was GHS 100.00, GHS 60.00 of it taken back before: no more than it can be taken back'),
    )
    const { rows } = await sql`select credit_id, amount, reason, actor from wallet_corrections
      where id = ${String(proposed['approval_id'])}`.execute(desk.db)
    expect(rows).toEqual([{ credit_id: creditId, amount: 6_000, reason: 'typed twice', actor: 'ama and kofi' }])
    const transfers = desk.db.selectFrom('transfers').where('cause_id', '=', String(proposed['approval_id']))
    expect(await transfers.select(['kind', 'from_purse', 'to_purse', 'amount', 'note']).execute()).toEqual([
      { kind: 'correction', from_purse: 'main', to_purse: 'top_ups', amount: 6_000, note: 'typed twice' },
    ])
  })

  it('never takes a wallet below zero, not even when the money is spent while it waits', async () => {
    await json(...credit('50'))
    expect(await run(...correct('-50.01', 'ama'))).toMatchObject(refused('holds GHS 50.00, less than is to be taken back'))
    const { approval_id: first } = await json(...correct('-50', 'ama'))
    const { approval_id: second } = await json(...correct('-0.01', 'ama'))
    await json('approvals', 'confirm', String(second), '--by', 'kofi')
    expect(await run('approvals', 'confirm', String(first), '--by', 'kofi')).toMatchObject(refused('holds GHS 49.99'))
    expect(await balance()).toBe(49.99)
    await json('approvals', 'refuse', String(first), '--by', 'ama')
  })

  it('takes SMS credits back in the same way, and a credit of one purse from no other', async () => {
    await json('sms', 'credit', '--account', account.email, '--credits', '300', '--id', 'sms-wrong')
    await json(...credit('300'))
    const back = (by: string) => [
      'sms',
      'correct',
      '--account',
      account.email,
      '--credits',
      '-200',
      '--of',
      'sms-wrong',
      '--reason',
      'r',
      '--by',
      by,
    ]
    await json(...back('ama'))
    await json(...back('kofi'))
    expect(await json('wallet', 'show', '--account', account.email)).toMatchObject({ credits: 100, balance: 300 })
    expect(await run(...correct('-1', 'ama', '--of', 'sms-wrong'))).toMatchObject(refused('use `makola sms correct`'))
    const owner = account.email
    account.email = `${account.email}.other`
    await json('account', 'create', '--email', account.email, '--name', 'Esi', '--role', 'agent')
    await json(...credit('300', '--id', 'esi-1'))
    account.email = owner
    expect(await run(...correct('-1', 'ama', '--of', 'esi-1'))).toMatchObject(refused('is one of another account'))
    expect(await run(...correct('-1', 'ama', '--of', 'nothing'))).toMatchObject(
      refused('There is no credit with the id "nothing"'),
    )
  })

  it.each(['50', '0', '-0.00', '-1.005', 'x', ''])('refuses the amount %j with exit code 2', async (amount) => {
    expect(await run(...correct(amount, 'ama'))).toMatchObject(refused('--amount must be what is taken back', 2))
  })
})

describe('the audit', () => {
  class Undo extends Error {}

  async function findingsAfter(...damage: RawBuilder<unknown>[]): Promise<string[]> {
    const findings: string[] = []
    await desk.database.ownerDb
      .transaction()
      .execute(async (tx) => {
        for (const table of ['wallet_credits', 'wallet_corrections', 'approvals', 'transfers'])
          await sql`alter table ${sql.table(table)} disable trigger user`.execute(tx)
        for (const step of damage) await step.execute(tx)
        const { checks } = await runAudit(tx, moneyAuditChecks, { isFull: true })
        findings.push(...Object.keys(checks).filter((name) => checks[name] !== 0))
        throw new Undo()
      })
      .catch((error: unknown) => {
        if (!(error instanceof Undo)) throw error
      })
    return findings
  }

  it('finds a credit above the limit without two people', async () => {
    const id = await proposeBigCredit()
    as('kofi')
    await json('approvals', 'confirm', id, '--by', 'Kofi')
    const found = ['credit_above_the_limit_without_two_people']
    const change = (set: RawBuilder<unknown>) => sql`update wallet_credits set ${set} where approval_id = ${id}`
    expect(await findingsAfter()).toEqual([])
    expect(await findingsAfter(change(sql`approval_id = null`))).toEqual(found)
    expect(await findingsAfter(change(sql`approval_id = null, one_person_limit = null`))).toEqual(found)
    const other = (set: RawBuilder<unknown>) => sql`update approvals set ${set} where id = ${id}`
    expect(await findingsAfter(other(sql`state = 'refused'`))).toEqual(found)
    expect(await findingsAfter(other(sql`request = jsonb_set(request, '{amount}', '1')`))).toEqual(found)
    expect(await findingsAfter(other(sql`kind = 'sms credit'`))).toEqual(found)
    await json('setting', 'set', 'credit_limit_one_person', '100')
    expect(await findingsAfter()).toEqual([])
  })

  it('finds a correction without its approval, and one of more than its credit was', async () => {
    await json(...credit('100', '--id', `audited-${account.no}`))
    const { approval_id: id } = await json(...correct('-60', 'ama', '--of', `audited-${account.no}`))
    await json('approvals', 'confirm', String(id), '--by', 'kofi')
    const found = ['correction_without_its_approval']
    expect(await findingsAfter(sql`update approvals set state = 'refused' where id = ${id}`)).toEqual(found)
    expect(await findingsAfter(sql`delete from wallet_corrections where id = ${id}`)).toEqual(found)
    expect(await findingsAfter(sql`update approvals set request = jsonb_set(request, '{amount}', '1') where id = ${id}`)).toEqual(
      found,
    )
    expect(await findingsAfter(sql`update wallet_corrections set amount = 10001 where id = ${id}`)).toEqual([
      ...found,
      'credit_taken_back_more_than_once',
    ])
  })
})
