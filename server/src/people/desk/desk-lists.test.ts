import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createSignedInStaff } from '../../../test/create-signed-in-staff.ts'
import { makeAccount } from '../../../test/make-account.ts'
import type { TestBrowser } from '../../../test/open-browser.ts'
import { explainStatements } from '../../../test/running/explain-statements.ts'
import { setUpPeople } from '../../../test/set-up-people.ts'
import { untilTransactionsEnd } from '../../../test/until-transactions-end.ts'
import { requestBusinessApproval } from '../../accounts/business/request-business-approval.ts'
import { createKey } from '../../accounts/create-key.ts'
import { confirmTransfer } from '../../accounts/top-ups/confirm-transfers.ts'
import { allApprovalKinds } from '../../all-approval-kinds.ts'
import { pesewas } from '../../money/pesewas.ts'
import { recordReportedTransfer } from '../../money/top-ups/record-reported-transfer.ts'
import { confirmApproval } from '../../platform/approvals/decide-approval.ts'
import { sealChain } from '../../platform/chains/seal-chain.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { newId } from '../../platform/database/new-id.ts'
import { lockNamed, runAlone } from '../../platform/database/run-alone.ts'
import { appendOperatorLog } from '../../platform/operator-log/append-operator-log.ts'
import { operatorLogChain } from '../../platform/operator-log/operator-log-chain.ts'
import { readOperatorLog } from '../../platform/operator-log/read-operator-log.ts'

const shop = setUpPeople()
let owner: TestBrowser
let finance: TestBrowser
let auditor: TestBrowser

beforeAll(async () => {
  owner = await createSignedInStaff(shop, 'ama@example.test', 'owner')
  finance = await createSignedInStaff(shop, 'kofi@example.test', 'finance')
  auditor = await createSignedInStaff(shop, 'efua@example.test', 'auditor')
})
beforeEach(async () => {
  await shop.db.deleteFrom('rate_limits').execute()
})

const dataOf = async (browser: TestBrowser, method: string, path: string, body?: unknown) => {
  const answer = await browser.ask(method, `/desk/api${path}`, body)
  expect({ path, status: answer.status, message: answer.body.error?.message }).toMatchObject({ status: 200 })
  return answer.body.data
}
const refusedOf = async (browser: TestBrowser, method: string, path: string, body?: unknown) => {
  const { status, headers, body: given } = await browser.ask(method, `/desk/api${path}`, body)
  return [status, headers['x-error-reason'], given.error?.message]
}
/** The newest line of the log, as the desk shows it. */
const lastLine = async () => (await dataOf(owner, 'GET', '/log?limit=1')).lines[0]
const noticesOf = (accountId: string) =>
  shop.db.selectFrom('reseller_notices').select(['kind', 'body']).where('account_id', '=', accountId).orderBy('id').execute()

async function makePendingKey() {
  const { accountId } = await makeAccount(shop.db)
  const wish = { accountId, type: 'standard', isPending: true, prefix: 'mk', actor: 'test' } as const
  return { accountId, ...(await inTransaction(shop.db, (tx) => createKey(tx, wish))) }
}

describe('keys at the desk', () => {
  it('that wait are listed first of all, approved, limited to addresses and revoked, each with before and after', async () => {
    const { keyId, accountId } = await makePendingKey()
    const waiting = await dataOf(owner, 'GET', '/keys?status=pending&accountId=unknown-field')
    expect(waiting.keys).toMatchObject([{ key_id: keyId, account_id: accountId, status: 'pending', last_used_at: null }])
    expect(await dataOf(owner, 'POST', `/keys/${keyId}/approve`)).toMatchObject({ status: 'active' })
    expect(await lastLine()).toMatchObject({
      actor: 'ama@example.test',
      address: '127.0.0.1',
      action: 'key approve',
      changes: [{ name: 'status', before: 'pending', after: 'active' }],
    })
    await dataOf(owner, 'POST', `/keys/${keyId}/addresses`, { addresses: ['203.0.113.7'] })
    expect((await lastLine()).changes).toEqual([{ name: 'addresses', before: 'none', after: '203.0.113.7/32' }])
    await dataOf(owner, 'POST', `/keys/${keyId}/revoke`, { reason: 'seen in a public repository' })
    expect(await lastLine()).toMatchObject({ action: 'key revoke', reason: 'seen in a public repository' })
    expect((await noticesOf(accountId)).at(-1)?.body).toContain('seen in a public repository')
    expect(await refusedOf(owner, 'POST', `/keys/${keyId}/approve`)).toMatchObject([409, 'not_possible', expect.any(String)])
    expect(await refusedOf(owner, 'POST', `/keys/${newId()}/approve`)).toMatchObject([404, 'key_not_found', expect.any(String)])
  })

  it('are declined with a reason that the account reads', async () => {
    const { keyId, accountId } = await makePendingKey()
    await dataOf(owner, 'POST', `/keys/${keyId}/revoke`, { reason: 'tell us first what you sell' })
    const [notice] = await noticesOf(accountId)
    expect(notice?.body).toMatch(/was not approved. Our reason: tell us first what you sell/)
  })

  it('come in pages, of one account where it is asked for', async () => {
    const made = [await makePendingKey(), await makePendingKey(), await makePendingKey()]
    const first = await dataOf(owner, 'GET', '/keys?limit=2')
    const second = await dataOf(owner, 'GET', `/keys?limit=2&after=${first.next}`)
    const ids = [...first.keys, ...second.keys].map((key: { key_id: string }) => key.key_id)
    expect(ids.slice(0, 3)).toEqual(made.map(({ keyId }) => keyId).toReversed())
    const [one] = made
    expect((await dataOf(owner, 'GET', `/keys?account=${one?.accountId}`)).keys).toHaveLength(1)
    expect((await dataOf(owner, 'GET', '/keys?account=nobody@example.test')).keys).toEqual([])
  })
})

describe('requests to be approved as a business', () => {
  const ask = async () => {
    const { accountId } = await makeAccount(shop.db)
    await shop.db.updateTable('accounts').set({ is_business: false }).where('id', '=', accountId).execute()
    const details = { name: 'Ama Data Ltd', registrationNumber: 'CS-1', purpose: 'receipts', actor: 'test' }
    await inTransaction(shop.db, (tx) => requestBusinessApproval(tx, { accountId, ...details }))
    const { requests } = await dataOf(owner, 'GET', '/business')
    return { accountId, id: requests.at(-1).request_id as string, request: requests.at(-1) }
  }

  it('are approved once, with what they ask for in sight', async () => {
    const { id, accountId, request } = await ask()
    expect(request).toMatchObject({ name: 'Ama Data Ltd', registration_number: 'CS-1', purpose: 'receipts', state: 'waiting' })
    expect(await dataOf(owner, 'POST', `/business/${id}/approve`)).toMatchObject({
      state: 'approved',
      decided_by: 'ama@example.test',
    })
    expect((await lastLine()).changes).toEqual([{ name: 'business', before: 'no', after: 'yes' }])
    expect((await noticesOf(accountId)).map(({ kind }) => kind)).toEqual(['business_approved'])
    expect(await refusedOf(owner, 'POST', `/business/${id}/approve`)).toMatchObject([409, 'not_possible', expect.any(String)])
    const decided = await dataOf(owner, 'GET', '/business?state=decided')
    expect(decided.requests[0]).toMatchObject({ request_id: id, state: 'approved' })
  })

  it('are declined with a reason', async () => {
    const { id } = await ask()
    const declined = await dataOf(owner, 'POST', `/business/${id}/decline`, { reason: 'the number is of another business' })
    expect(declined).toMatchObject({ state: 'declined', reason: 'the number is of another business' })
  })
})

/** Records a transfer that a new reseller reports, and that waits to be confirmed. `amount` is in pesewas. */
async function noteWaiting(amount = 5_000) {
  const { accountId } = await makeAccount(shop.db)
  const wish = { accountId, pageReference: newId(), amount: pesewas(amount), note: undefined, madeBy: 'test' }
  const transferReference = `MP${newId().slice(-8)}`
  const { id } = await inTransaction(shop.db, (tx) => recordReportedTransfer(tx, { ...wish, transferReference }))
  return { accountId, id, transferReference }
}

describe('top-ups at the desk', () => {
  it('below the limit are confirmed by one person, and the reseller is told', async () => {
    const { accountId, id, transferReference } = await noteWaiting()
    const found = await dataOf(finance, 'GET', `/top-ups?transfer=${transferReference.toLowerCase()}`)
    expect(found.top_ups).toMatchObject([{ top_up_id: id, state: 'waiting', amount: 50 }])
    expect(await dataOf(finance, 'GET', `/top-ups/${id}`)).toMatchObject({ takes_two: false, balance: 0, proposal: null })
    expect(await dataOf(finance, 'POST', `/top-ups/${id}/confirm`)).toMatchObject({ outcome: 'credited' })
    expect((await lastLine()).changes).toEqual([{ name: '', before: 'GHS 0.00', after: 'GHS 50.00' }])
    expect(await noticesOf(accountId)).toMatchObject([{ kind: 'top_up_credited' }])
  })

  it('above the limit take two persons; the first is refused in every session, and the second confirms that proposal', async () => {
    await shop.app.database.ownerDb
      .insertInto('settings')
      .values({ name: 'credit_limit_one_person', value: '10', updated_by: 'test' })
      .execute()
    const { accountId, id } = await noteWaiting()
    expect(await dataOf(finance, 'POST', `/top-ups/${id}/confirm`)).toMatchObject({ outcome: 'proposed' })
    expect(await dataOf(finance, 'GET', `/top-ups/${id}`)).toMatchObject({ takes_two: true, proposal: { is_yours: true } })
    expect(await dataOf(finance, 'POST', `/top-ups/${id}/confirm`)).toMatchObject({ outcome: 'proposed' })
    expect(await noticesOf(accountId)).toEqual([])
    const { approval_id } = (await dataOf(finance, 'GET', `/top-ups/${id}`)).proposal
    expect(await dataOf(owner, 'POST', `/top-ups/${id}/confirm`)).toMatchObject({ outcome: 'same_waits', approval_id })
    expect(await dataOf(owner, 'POST', `/approvals/${approval_id}/confirm`)).toMatchObject({ approval_id })
    expect(await dataOf(owner, 'GET', `/top-ups/${id}`)).toMatchObject({
      state: 'credited',
      balance: 50,
      decided_by: 'kofi@example.test and ama@example.test',
    })
    expect(await noticesOf(accountId)).toMatchObject([{ kind: 'top_up_credited' }])
    await shop.app.database.ownerDb.deleteFrom('settings').execute()
  })

  it('are declined with a reason that the reseller reads', async () => {
    const { accountId, id } = await noteWaiting()
    await dataOf(finance, 'POST', `/top-ups/${id}/decline`, { reason: 'no such transfer came' })
    expect(await lastLine()).toMatchObject({
      reason: 'no such transfer came',
      changes: [{ name: 'state', before: 'waiting', after: 'declined' }],
    })
    expect((await noticesOf(accountId))[0]?.body).toContain('no such transfer came')
    const person = { by: 'kofi@example.test', osUser: 'desk:kofi@example.test' }
    await expect(inTransaction(shop.db, (tx) => confirmTransfer(tx, { topUpId: id, person, isLive: false }))).rejects.toThrow(
      'declined already',
    )
    expect(await refusedOf(finance, 'GET', `/top-ups/${newId()}`)).toMatchObject([404, expect.any(String), expect.any(String)])
  })
})

describe('payment gateways at the desk', () => {
  it('are set up with credentials that are never shown, switched, and tried', async () => {
    const set = { credentials: { secretKey: 'sk_live_secret' }, reason: 'first day' }
    const proposed = (await dataOf(owner, 'POST', '/gateways/paystack', set)).gateways[0]
    expect(proposed).toMatchObject({ is_set_up: false, credentials: [{ name: 'secretKey', is_set: false }] })
    const second = { by: 'second@example.test', osUser: 'desk:second@example.test' }
    await inTransaction(shop.db, (tx) => confirmApproval(tx, allApprovalKinds, { approvalId: proposed.proposal, person: second }))
    const { gateways } = await dataOf(owner, 'GET', '/gateways')
    expect(gateways[0]).toMatchObject({
      gateway: 'paystack',
      is_enabled: true,
      credentials: [{ name: 'secretKey', is_set: true }],
    })
    await dataOf(owner, 'POST', '/gateways/paystack', { is_enabled: false, reason: 'it is down' })
    const line = await lastLine()
    expect(line).toMatchObject({ action: 'gateway set', reason: 'it is down' })
    expect(line.changes).toContainEqual({ name: 'enabled', before: 'yes', after: 'no' })
    const all = JSON.stringify([await dataOf(owner, 'GET', '/gateways'), (await dataOf(owner, 'GET', '/log')).lines])
    expect(all).not.toContain('sk_live_secret')
    expect(await dataOf(owner, 'POST', '/gateways/paystack/test')).toMatchObject({
      is_well: false,
      said: expect.stringContaining('ECONNREFUSED'),
    })
    expect(await lastLine()).toMatchObject({ actor: 'ama@example.test', action: 'gateway test', subject: 'paystack' })
    const wrong = await refusedOf(owner, 'POST', '/gateways/paystack', { credentials: { key: 'x' }, reason: 'r' })
    expect(wrong).toMatchObject([409, 'not_possible', 'The credentials of paystack are secretKey.'])
    expect(await refusedOf(finance, 'POST', '/gateways/paystack', set)).toMatchObject([403, 'not_permitted', expect.any(String)])
  })
})

describe('the audit log at the desk', () => {
  it('is filtered by actor, action, subject and time, in pages and as a file', async () => {
    const { keyId, accountId } = await makePendingKey()
    await dataOf(owner, 'POST', `/keys/${keyId}/approve`)
    const ask = async (query: string) =>
      (await dataOf(auditor, 'GET', `/log?${query}`)).lines.map(({ action }: { action: string }) => action) as string[]
    expect(await ask(`subject=${accountId}`)).toEqual(['key approve', 'key create', 'account create'])
    expect(await ask(`subject=${accountId}&actor=AMA@example.test`)).toEqual(['key approve'])
    expect(await ask(`subject=${accountId}&action=key%20create`)).toEqual(['key create'])
    expect(await ask(`subject=${accountId}&until=2020-01-01T00:00:00.000Z`)).toEqual([])
    const first = await dataOf(auditor, 'GET', '/log?limit=2')
    const all = await dataOf(auditor, 'GET', '/log?limit=200')
    const second = await dataOf(auditor, 'GET', `/log?limit=200&before=${first.next}`)
    expect([...first.lines, ...second.lines]).toEqual(all.lines)
    expect((await dataOf(auditor, 'GET', '/log/actions')).actions).toContain('key approve')
    const file = await auditor.ask('GET', `/desk/api/log.csv?subject=${accountId}&action=key%20approve`)
    expect(file.headers['content-type']).toContain('text/csv')
    expect(String(file.body)).toContain(`,ama@example.test,,127.0.0.1,key approve,${keyId},status: pending,status: active,,`)
  })

  it('names accounts, keys and persons in place of their ids, and writes no JSON', async () => {
    const { keyId, accountId } = await makePendingKey()
    await dataOf(owner, 'POST', `/keys/${keyId}/approve`)
    const { name } = await shop.db.selectFrom('accounts').select('name').where('id', '=', accountId).executeTakeFirstOrThrow()
    expect(await lastLine()).toMatchObject({
      subject: keyId,
      about: expect.stringContaining(`of ${name}`),
      path: `/keys/${keyId}`,
    })
    const gone = newId()
    const details = {
      before: { rules: [{ is_on: true, words: ['a', 'b'] }] },
      after: null,
      account_id: accountId,
      other_id: gone,
    }
    await inTransaction(shop.db, (tx) =>
      appendOperatorLog(tx, { actor: 'ama', action: 'setting set', subject: 'rules', details }),
    )
    expect(await lastLine()).toMatchObject({
      changes: [{ name: 'rules', before: 'is on: yes, words: a, b', after: null }],
      fields: [
        { name: 'other', value: `…${gone.slice(-4)}` },
        { name: 'account', value: name },
      ],
    })
  })

  it('says the unit of a setting’s numbers, with commas, and calls the number of a receipt so', async () => {
    const changeOf = async (subject: string, before: unknown, after: unknown) => {
      const details = { before, after, external_id: 'bank TRX9' }
      await inTransaction(shop.db, (tx) => appendOperatorLog(tx, { actor: 'ama', action: 'setting set', subject, details }))
      return lastLine()
    }
    const line = await changeOf('float_warning_ghs', 0, 12_000_000)
    expect(line).toMatchObject({ changes: [{ name: '', before: 'GHS 0.00', after: 'GHS 12,000,000.00' }] })
    expect(line).toMatchObject({ fields: [{ name: 'receipt or transfer number', value: 'bank TRX9' }] })
    expect(await changeOf('float_warning_hours', 24, 48)).toMatchObject({ changes: [{ before: '24 hours', after: '48 hours' }] })
    expect(await changeOf('data_enabled', true, false)).toMatchObject({ changes: [{ before: 'yes', after: 'no' }] })
    expect(await changeOf('gone', 1_500, null)).toMatchObject({ changes: [{ before: '1,500', after: null }] })
  })

  it('has a line for each file that somebody takes along, with the filters', async () => {
    const { accountId } = await makeAccount(shop.db)
    const files = [
      ['log.csv?action=key%20approve', 'log export', 'log', { action: 'key approve' }],
      ['orders.csv?status=failed', 'orders export', 'orders', { status: 'failed' }],
      ['reconcile/differences.csv?state=open', 'differences export', 'differences', { state: 'open' }],
      [`accounts/${accountId}/entries.csv?purse=main`, 'entries export', accountId, { purse: 'main' }],
      [`accounts/${accountId}/statement.csv?purse=main&month=2026-01`, 'statement export', accountId, { month: '2026-01' }],
    ] as const
    for (const [path, action, subject, filters] of files) {
      expect([path, (await auditor.ask('GET', `/desk/api/${path}`)).status]).toEqual([path, 200])
      const [line] = await readOperatorLog(shop.db, { limit: 1 })
      expect(line).toMatchObject({
        actor: 'efua@example.test',
        action,
        subject,
        details: { filters, address: '127.0.0.1' },
      })
    }
    const before = await readOperatorLog(shop.db, { limit: 1 })
    expect((await auditor.ask('GET', `/desk/api/accounts/${newId()}/entries.csv?purse=main`)).status).toBe(404)
    expect(await readOperatorLog(shop.db, { limit: 1 })).toEqual(before)
  })

  it('refuses moments and places that there cannot be', async () => {
    for (const query of ['from=2026-06-30T23:59:60Z', 'until=2026-13-01T00:00:00Z', 'before=1e300', 'before=0']) {
      const { status } = await auditor.ask('GET', `/desk/api/log?${query}`)
      expect([query, status]).toEqual([query, 400])
    }
  })

  it('reads no more lines than it shows, whichever filter is used', async () => {
    await shop.app.database.ownerDb.transaction().execute(async (tx) => {
      await sql`insert into operator_log (at, actor, action, subject, details)
        select now() - make_interval(mins => no), 'cli:crowd', 'setting set', 'setting_' || no, '{}'
        from generate_series(1, 20000) as no`.execute(tx)
      await sql`analyze operator_log`.execute(tx)
    })
    const queries = [{}, { by: 'crowd' }, { action: 'setting set' }, { subjects: ['setting_7'] }, { to: new Date('2020-01-01') }]
    for (const query of queries) {
      const scans = await explainStatements(shop.app.database.applicationUrl, (db) =>
        readOperatorLog(db, { ...query, limit: 50 }),
      )
      expect({ query, rows: Math.max(...scans.map(({ rows }) => rows)) }).toMatchObject({
        rows: expect.toSatisfy((rows: number) => rows <= 200),
      })
    }
  })

  it('says how far it is sealed, and finds a line that was altered', async () => {
    await untilTransactionsEnd(shop.db)
    await sealChain(shop.app.database.ownerDb, operatorLogChain)
    const { chains } = await dataOf(auditor, 'GET', '/log/chains')
    expect(chains.map(({ chain }: { chain: string }) => chain)).toEqual(['operator_log', 'order_events', 'transfers'])
    expect(chains[0]).toMatchObject({
      head: expect.stringMatching(/^operator_log:\d+:[0-9a-f]{64}$/),
      broken: null,
      is_behind: false,
    })
    const from = '2000-01-01T00:00:00.000Z'
    expect(await dataOf(auditor, 'POST', '/log/check', { from })).toMatchObject({
      outcome: 'as_sealed',
      is_whole: true,
      finding: null,
    })
    await runAlone(shop.db, lockNamed('makola one at a time: log check'), async () => {
      const refused = await refusedOf(auditor, 'POST', '/log/check', { from })
      expect(refused).toEqual([409, 'at_work_already', expect.stringContaining('one at a time')])
    })
    const { ownerDb } = shop.app.database
    await sql`alter table operator_log disable trigger operator_log_is_append_only`.execute(ownerDb)
    await sql`update operator_log set actor = 'cli:nobody' where id = (select min(id) from operator_log)`.execute(ownerDb)
    await sql`alter table operator_log enable trigger operator_log_is_append_only`.execute(ownerDb)
    expect(await dataOf(auditor, 'POST', '/log/check', { from })).toMatchObject({
      outcome: 'altered',
      finding: expect.stringContaining('was altered after it was sealed'),
    })
  })
})
