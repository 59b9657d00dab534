import { type RawBuilder, sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { setUpTwoPeople } from './set-up-two-people.fixture.ts'

const { desk, run, json, account, endLive, as, credit, balance, listed, refused, proposeBigCredit } = setUpTwoPeople()

describe('approvals', () => {
  it('are listed a page at a time', async () => {
    for (const id of ['page-1', 'page-2', 'page-3']) {
      await proposeBigCredit(`${id}-${account.no}`)
      await endLive()
    }
    const first = await json('approvals', 'list', '--all', '--limit', '2')
    const rest = await json('approvals', 'list', '--all', '--limit', '1000', '--after', String(first['next']))
    expect(rest['next']).toBeNull()
    expect([...(first['approvals'] as object[]), ...(rest['approvals'] as object[])]).toEqual(
      await listed('--all', '--limit', '1000'),
    )
    expect(await run('approvals', 'list', '--after', 'x')).toMatchObject(refused('--after', 2))
  })

  it('name the account where people read them, and keep its id in the JSON', async () => {
    const id = await proposeBigCredit()
    const row = (await listed()).find((each) => each['approval_id'] === id)
    expect(row?.['what']).toContain(row?.['subject'])
    const { stdout } = await run('approvals', 'list')
    expect(stdout).toContain(`credit GHS 5,000.00 to account Ama`)
    expect(stdout).not.toContain(row?.['subject'])
  })

  it('are refused by anybody, and cannot be confirmed then', async () => {
    const id = await proposeBigCredit()
    expect(await json('approvals', 'refuse', id, '--by', 'Ama', '--reason', 'a typo')).toEqual({
      approval_id: id,
      status: 'refused',
    })
    as('kofi')
    expect(await run('approvals', 'confirm', id, '--by', 'Kofi')).toMatchObject(refused('was refused by Ama already'))
    expect(await balance()).toBe(0)
    expect(await json(...credit('5000', '--id', `big-${account.no}`, '--by', 'Kofi'))).toMatchObject({ status: 'pending' })
  })

  it('end after 7 days', async () => {
    const id = await proposeBigCredit()
    await desk.database.ownerDb.transaction().execute(async (tx) => {
      await sql`alter table approvals disable trigger user`.execute(tx)
      await sql`update approvals set expires_at = now() - interval '1 second' where id = ${id} and expires_at = created_at + interval '7 days'`.execute(
        tx,
      )
      await sql`alter table approvals enable trigger user`.execute(tx)
    })
    expect((await listed()).map((each) => each['approval_id'])).not.toContain(id)
    expect((await listed('--all')).find((each) => each['approval_id'] === id)).toMatchObject({ status: 'expired' })
    as('kofi')
    expect(await run('approvals', 'confirm', id, '--by', 'Kofi')).toMatchObject(refused('expired already'))
    expect(await json(...credit('5000', '--id', `big-${account.no}`, '--by', 'Kofi'))).toMatchObject({ status: 'pending' })
    expect(await balance()).toBe(0)
  })

  it('are history: decided once, never changed and never deleted', async () => {
    const id = await proposeBigCredit()
    const attempt = (statement: RawBuilder<unknown>) => statement.execute(desk.database.ownerDb)
    await expect(attempt(sql`update approvals set request = '{}' where id = ${id}`)).rejects.toThrow('never changed')
    await expect(attempt(sql`delete from approvals where id = ${id}`)).rejects.toThrow('never changed')
    await json('approvals', 'refuse', id, '--by', 'kofi')
    await expect(attempt(sql`update approvals set state = 'done', decided_by = 'x' where id = ${id}`)).rejects.toThrow('once')
    await expect(sql`update approvals set request = '{}'`.execute(desk.db)).rejects.toThrow('permission denied')
    await expect(sql`delete from wallet_corrections`.execute(desk.db)).rejects.toThrow('permission denied')
  })

  it('that are not there, or are no ids, are said to be so', async () => {
    const nobody = '0190a1b2-0000-7000-8000-000000000000'
    expect(await run('approvals', 'confirm', nobody, '--by', 'ama')).toMatchObject(refused('There is no proposal'))
    expect(await run('approvals', 'refuse', 'x', '--by', 'ama')).toMatchObject(refused('is no id', 2))
    expect(await run('approvals', 'list', '--limit', '0')).toMatchObject(refused('--limit', 2))
  })
})

describe('two names typed by one user of the operating system', () => {
  it('are refused on a live installation until single_operator is set, and told apart in the log', async () => {
    const id = await proposeBigCredit()
    expect(await run('approvals', 'confirm', id, '--by', 'Kofi')).toMatchObject(refused('ama typed both names on this machine'))
    expect(await balance()).toBe(0)
    await json('setting', 'set', 'single_operator', 'true')
    await json('approvals', 'confirm', id, '--by', 'Kofi')
    expect(await balance()).toBe(5_000)
    const { entries } = await json('log', '--subject', account.email, '--limit', '2')
    expect(entries).toMatchObject([
      { by: 'Kofi', os_user: 'ama', action: 'wallet credit confirm', details: { proposed_by: 'Ama', proposed_os_user: 'ama' } },
      { by: 'Ama', os_user: 'ama', action: 'wallet credit propose' },
    ])
  })
})
