import { sql } from 'kysely'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { makeAccount, makeKeyFor, personNamed } from '../../../test/makers.ts'
import { mustPassAudit } from '../../../test/must-pass-audit.ts'
import type { TestBrowser } from '../../../test/open-browser.ts'
import { patienceSeconds } from '../../../test/patience.ts'
import { setAgreed } from '../../../test/set-agreed.ts'
import { setUpPeople, testPassword } from '../../../test/set-up-people.ts'
import { setAccountNotices } from '../../accounts/notices/set-account-notices.ts'
import { allApprovalKinds } from '../../all-approval-kinds.ts'
import { correctWallet } from '../../money/by-people/correct-wallet.ts'
import { creditByPeople } from '../../money/by-people/credit-by-people.ts'
import { creditLimitOnePerson } from '../../money/money.settings.ts'
import { confirmApproval } from '../../platform/approvals/decide-approval.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { newId } from '../../platform/database/new-id.ts'
import { writeSetting } from '../../platform/settings/settings.ts'
import { hashPersonPassword } from '../auth/hash-password.ts'
import { createMember } from '../manage-people.ts'
import { reasonOf, staffAtDesk } from '../staff-at-desk.fixture.ts'

const shop = setUpPeople()
const { makeStaffMember, newestLog } = staffAtDesk(shop)
let owner: TestBrowser
let finance: TestBrowser
let passwordHash: string

beforeAll(async () => {
  passwordHash = await hashPersonPassword(testPassword)
  owner = await makeStaffMember('owner', 'owner@desk.test')
  finance = await makeStaffMember('finance', 'finance@desk.test')
})

async function found(query: Record<string, string>): Promise<string[]> {
  const { body } = await owner.ask('GET', `/desk/api/accounts?${new URLSearchParams(query).toString()}`)
  return body.data.accounts.map(({ name }: { name: string }) => name)
}

describe('the list of accounts', () => {
  let akosua: string

  beforeAll(async () => {
    for (const name of ['Akosua Darkoah', 'Kwabena Sarkodie']) {
      const { accountId } = await makeAccount(shop.db, { balancePesewas: name.startsWith('A') ? 5_000 : 90_000 })
      const email = `${name.split(' ')[1]?.toLowerCase()}.shop@mail.test`
      await shop.db.updateTable('accounts').set({ name, email }).where('id', '=', accountId).execute()
      if (name.startsWith('A')) akosua = accountId
    }
    const member = { email: 'niece@people.test', passwordHash, account: akosua, role: 'viewer', actor: 'test' } as const
    await inTransaction(shop.db, async (tx) => {
      await createMember(tx, member)
      await setAccountNotices(tx, { accountId: akosua, phone: '233209876543', actor: 'test' })
      await tx
        .insertInto('business_requests')
        .values({
          id: newId(),
          account_id: akosua,
          name: 'Golden Stool Ventures',
          registration_number: 'BN1',
          purpose: 'sms',
          reason: null,
          asked_by: 'test',
          decided_by: null,
          decided_at: null,
        })
        .execute()
    })
  })

  it.each([
    ['the plain letters of Ghanaian ones', 'Kwabɛna Ɔfɔri', 'kwabena ofori'],
    ['plain capitals', 'Ɛsɛnam Ŋkansa', 'ESENAM NK'],
    ['a name without its accents', 'Café Zoé', 'cafe zoe'],
    ['a name with the accents apart from their letters', 'Adjoa Bénédicte', 'be\u0301ne\u0301'],
  ])('is searched by %s', async (_what, name, search) => {
    const { accountId } = await makeAccount(shop.db)
    await shop.db.updateTable('accounts').set({ name }).where('id', '=', accountId).execute()
    expect(await found({ search })).toEqual([name])
    expect(await found({ search: name })).toEqual([name])
  })

  it.each([
    ['the middle of a name', () => 'osua'],
    ['beginnings of words, whatever the capitals', () => 'AK da'],
    ['one letter and another word', () => 'a darkoah'],
    ['part of the e-mail', () => 'oah.shop@'],
    ['the e-mail of one of its people', () => 'niece@people'],
    ['part of its business’s name', () => 'den stool'],
    ['the number of its notices, as people write it', () => '020 987 6543'],
    ['the end of that number', () => '76543'],
    ['its id', () => akosua],
  ])('finds an account by %s', async (_name, text) => {
    expect(await found({ search: text() })).toEqual(['Akosua Darkoah'])
  })

  it('finds an account by the end of its key, takes signs as they are, and finds nothing where nothing fits', async () => {
    const key = await makeKeyFor(shop.db, akosua)
    expect(await found({ search: key.slice(-4) })).toContain('Akosua Darkoah')
    expect(await found({ search: '%' })).toEqual([])
    expect(await found({ search: 'osua kwab' })).toEqual([])
  })

  it('is narrowed by filters, and comes in pages', async () => {
    expect(await found({ search: 'mail.test', balance_below: '60' })).toEqual(['Akosua Darkoah'])
    await sql`update api_keys set last_used_at = clock_timestamp() where account_id = ${akosua}`.execute(shop.db)
    expect(await found({ search: 'mail.test', active_within_days: '7' })).toEqual(['Akosua Darkoah'])
    expect(await found({ search: 'mail.test', quiet_for_days: '7' })).toEqual(['Kwabena Sarkodie'])
    expect(await found({ search: 'mail.test', status: 'suspended' })).toEqual([])
    await sql`insert into accounts (id, email, name, role)
      select gen_random_uuid(), 'crowd-' || n || '@crowd.test', 'One of many', 'agent' from generate_series(1, 2100) as n`.execute(
      shop.db,
    )
    await sql`insert into wallets (account_id, purse) select id, 'main' from accounts where email like '%@crowd.test'`.execute(
      shop.db,
    )
    const ids = new Set<string>()
    let address = '/desk/api/accounts?search=crowd.test'
    for (const _page of [1, 2, 3]) {
      const { data } = (await owner.ask('GET', address)).body
      for (const account of data.accounts) ids.add(account.account_id)
      address = `/desk/api/accounts?search=crowd.test&after=${data.next}`
    }
    expect(ids.size).toBe(150)
    expect(await found({ search: 'crowd.test', role: 'dealer' })).toEqual([])
    expect(await found({ search: 'mail.test' })).toEqual(['Kwabena Sarkodie', 'Akosua Darkoah'])
  })
})

describe('an account at the desk', () => {
  it('is made with its first owner invited', async () => {
    const body = { name: 'New Shop', email: 'new@shop.test', role: 'agent', is_business: true, owner_email: 'boss@shop.test' }
    const { data } = (await owner.ask('POST', '/desk/api/accounts', body)).body
    const { data: shown } = (await owner.ask('GET', `/desk/api/accounts/${data.account_id}`)).body
    expect(shown).toMatchObject({
      name: 'New Shop',
      is_business: true,
      purses: { main: 0, commission: 0, sms_credits: 0 },
      invitations: [{ email: 'boss@shop.test', role: 'owner' }],
    })
    expect(shown.days).toHaveLength(30)
    expect((await shop.mailsTo('boss@shop.test'))[0]?.subject).toBe('Join New Shop')
    expect(reasonOf(await owner.ask('POST', '/desk/api/accounts', body))).toEqual([409, 'not_possible'])
    expect(reasonOf(await owner.ask('GET', `/desk/api/accounts/${newId()}`))).toEqual([404, 'account_not_found'])
  })

  it('is made no more often than one person may invite', async () => {
    const statuses: number[] = []
    for (let no = 1; no <= 21; no += 1) {
      const body = { name: 'Shop', email: `many-${no}@shop.test`, role: 'agent', is_business: false }
      statuses.push((await owner.ask('POST', '/desk/api/accounts', body)).status)
      if (statuses.at(-1) === 429) break
    }
    expect([statuses.length <= 21, statuses.at(-1)]).toEqual([true, 429])
    await shop.db.deleteFrom('rate_limits').execute()
  })

  it('changes its role and status, with before, after and the reason in the log', async () => {
    const { accountId } = await makeAccount(shop.db, { role: 'customer' })
    const path = `/desk/api/accounts/${accountId}`
    await shop.db
      .insertInto('voucher_types')
      .values({ id: newId(), name: 'Preview', price_customer: 1_500, price_agent: 1_300, price_dealer: 1_200 })
      .execute()
    const { data: preview } = (await owner.ask('GET', `${path}/role-preview?role=dealer`)).body
    expect(preview).toMatchObject({ before: 'customer', after: 'dealer' })
    expect(preview.prices).toContainEqual({ name: 'Preview', before: 15, after: 12 })
    expect(preview.prices).toContainEqual({ name: 'AFA registration', before: 15, after: 10 })
    const expires_at = new Date(Date.now() + 86_400_000).toISOString()
    const change = { role: 'dealer', expires_at, reason: 'sells much' }
    expect((await owner.ask('PUT', `${path}/role`, change)).status).toBe(200)
    expect(await newestLog()).toMatchObject({
      actor: 'owner@desk.test',
      action: 'account set-role',
      details: { before: { role: 'customer' }, after: { role: 'dealer', expires_at }, reason: 'sells much' },
    })
    const past = { ...change, expires_at: '2020-01-01T00:00:00.000Z' }
    expect(reasonOf(await owner.ask('PUT', `${path}/role`, past))).toEqual([400, 'invalid_request'])
    await owner.ask('PUT', `${path}/status`, { status: 'suspended', reason: 'stolen phone' })
    expect(await newestLog()).toMatchObject({
      action: 'account suspend',
      details: { before: { status: 'active' }, after: { status: 'suspended' }, reason: 'stolen phone', address: '127.0.0.1' },
    })
    expect((await owner.ask('GET', path)).body.data).toMatchObject({ role: 'dealer', status: 'suspended' })
  })

  it('has its people changed, and keeps its last owner', async () => {
    const { accountId } = await makeAccount(shop.db)
    const path = `/desk/api/accounts/${accountId}`
    const made = await inTransaction(shop.db, (tx) =>
      createMember(tx, { email: 'kwesi@people.test', passwordHash, account: accountId, role: 'owner', actor: 'test' }),
    )
    const member = `${path}/members/${made.personId}`
    const reason = 'asked by phone'
    expect(reasonOf(await owner.ask('POST', `${member}/remove`, { reason }))).toEqual([409, 'not_possible'])
    const other = await inTransaction(shop.db, (tx) =>
      createMember(tx, { email: 'adjoa@people.test', passwordHash, account: accountId, role: 'owner', actor: 'test' }),
    )
    await owner.ask('PUT', `${member}/role`, { role: 'buyer', reason })
    expect(await newestLog()).toMatchObject({
      details: { before: { role: 'owner' }, after: { role: 'buyer' }, reason, email: 'kwesi@people.test' },
    })
    expect((await owner.ask('POST', `${member}/remove`, { reason })).status).toBe(200)
    await owner.ask('POST', `${path}/invitations`, { email: 'third@people.test', role: 'viewer' })
    const { data } = (await owner.ask('GET', path)).body
    expect(data.members).toMatchObject([{ person_id: other.personId, role: 'owner' }])
    const invitation = `${path}/invitations/${data.invitations[0].invitation_id}`
    expect((await owner.ask('DELETE', invitation)).status).toBe(200)
    expect((await owner.ask('DELETE', invitation)).status).toBe(404)
  })
})

describe('rights over an account', () => {
  it('that has an owner are not given by support, who could then buy with its money', async () => {
    const support = await makeStaffMember('support', 'support@desk.test')
    const { accountId } = await makeAccount(shop.db)
    const path = `/desk/api/accounts/${accountId}/invitations`
    expect((await support.ask('POST', path, { email: 'first@people.test', role: 'owner' })).status).toBe(200)
    await inTransaction(shop.db, (tx) =>
      createMember(tx, { email: 'head@people.test', passwordHash, account: accountId, role: 'owner', actor: 'test' }),
    )
    for (const role of ['owner', 'buyer']) {
      const refused = await support.ask('POST', path, { email: 'friend@people.test', role })
      expect(reasonOf(refused)).toEqual([403, 'owners_let_in'])
    }
    expect((await support.ask('POST', path, { email: 'friend@people.test', role: 'viewer' })).status).toBe(200)
    expect((await owner.ask('POST', path, { email: 'friend@people.test', role: 'buyer' })).status).toBe(200)
  })

  it('are used by nobody of the staff for an account of their own', async () => {
    const { accountId } = await makeAccount(shop.db, { balancePesewas: 500 })
    await inTransaction(shop.db, (tx) =>
      createMember(tx, { email: 'finance@desk.test', passwordHash: undefined, account: accountId, role: 'owner', actor: 'test' }),
    )
    const credit = { purse: 'main', amount: 1, reference: 'web-own', note: 'for me' }
    expect(reasonOf(await finance.ask('POST', `/desk/api/accounts/${accountId}/credits`, credit))).toEqual([403, 'own_account'])
    expect((await finance.ask('GET', `/desk/api/accounts/${accountId}`)).status).toBe(200)
    // A proposal of somebody else about the own account is neither confirmed nor refused by its member.
    const { approvalId } = await inTransaction(shop.db, (tx) =>
      correctWallet(tx, { accountId, purse: 'main', amount: 1, of: undefined, reason: 'r', person: personNamed('yaw') }),
    )
    const seen = (browser: TestBrowser) => browser.ask('GET', `/desk/api/approvals/${approvalId}`)
    const closed = { is_own_account: true, may_confirm: false, may_refuse: false }
    expect((await seen(finance)).body.data).toMatchObject(closed)
    expect((await seen(owner)).body.data).toMatchObject({ is_own_account: false, may_confirm: true, may_refuse: true })
    const decide = (word: string, body?: object) => finance.ask('POST', `/desk/api/approvals/${approvalId}/${word}`, body)
    expect(reasonOf(await decide('confirm'))).toEqual([403, 'own_account'])
    expect(reasonOf(await decide('refuse', { reason: 'not from me' }))).toEqual([403, 'own_account'])
    await shop.db.deleteFrom('members').where('account_id', '=', accountId).execute()
  })
})

describe('an account of one’s own', () => {
  it('stays one’s own while one looks at another', async () => {
    const helper = await makeStaffMember('owner', 'helper@desk.test')
    const [own, other] = [await makeAccount(shop.db), await makeAccount(shop.db)]
    await inTransaction(shop.db, (tx) =>
      createMember(tx, {
        email: 'helper@desk.test',
        passwordHash: undefined,
        account: own.accountId,
        role: 'owner',
        actor: 'test',
      }),
    )
    await helper.ask('POST', `/desk/api/accounts/${other.accountId}/view`, { reason: 'ticket 78' })
    const suspend = (accountId: string) =>
      helper.ask('PUT', `/desk/api/accounts/${accountId}/status`, { status: 'suspended', reason: 'r' })
    expect(reasonOf(await suspend(own.accountId))).toEqual([403, 'own_account'])
    expect((await suspend(other.accountId)).status).toBe(200)
  })
})

const agreeOn = (approvalId: string, by: string) =>
  inTransaction(shop.db, (tx) => confirmApproval(tx, allApprovalKinds, { approvalId, person: personNamed(by) }))

describe('the money of an account at the desk', () => {
  it('is credited once for each number of a receipt and way, however it is written; the second try names the first', async () => {
    const [first, second] = [await makeAccount(shop.db), await makeAccount(shop.db)]
    const credit = (accountId: string, way: string, number: string, more: object = {}) =>
      finance.ask('POST', `/desk/api/accounts/${accountId}/credits`, {
        purse: 'main',
        amount: 20,
        note: 'paid',
        reference: `ref-${newId()}`,
        way,
        number,
        ...more,
      })
    expect((await credit(first.accountId, 'cash', 'Receipt-2041')).body.data.state).toBe('done')
    for (const again of [{}, { purse: 'sms_credits', amount: 5 }]) {
      const { status, body } = await credit(second.accountId, 'cash', ' receipt 2041', again)
      expect([status, body.error.message]).toEqual([
        409,
        expect.stringMatching(
          /\(cash\) was credited already: GHS 20\.00 to account Reseller \d+, by finance@desk\.test at \d+ \w+ 20\d\d/,
        ),
      ])
    }
    const racing = await Promise.all([1, 2, 3].map(() => credit(first.accountId, 'bank', 'Receipt-2041')))
    expect(racing.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409])
    expect((await credit(first.accountId, 'bank', '---')).status).toBe(400)
    const found = (await finance.ask('GET', '/desk/api/find?q=receipt%202041')).body.data.matches
    expect(found.filter(({ type }: { type: string }) => type === 'credit')).toHaveLength(2)
    await inTransaction(shop.db, (tx) =>
      creditByPeople(tx, {
        accountId: first.accountId,
        purse: 'main',
        amount: 100,
        externalId: 'slip-9',
        note: 'on the command line',
        person: { by: 'kofi', osUser: 'kofi' },
        isLive: false,
      }),
    )
    expect((await credit(second.accountId, 'momo', 'slip-9')).status).toBe(409)
    await mustPassAudit(shop.db)
  })

  it('keeps two equal corrections apart: a proposal is confirmed only as itself, and an equal one is asked about', async () => {
    const { accountId } = await makeAccount(shop.db, { balancePesewas: 5_000 })
    const path = `/desk/api/accounts/${accountId}/corrections`
    const correct = async (by: typeof owner, reason: string, more: object = {}) => {
      const body = { purse: 'main', amount: 7.77, reason, reference: `ref-${newId()}`, ...more }
      return (await by.ask('POST', path, body)).body.data
    }
    const one = await correct(owner, 'typed twice on Monday')
    expect(one).toMatchObject({ state: 'proposed', balance: 50 })
    for (const by of [finance, owner]) {
      expect(await correct(by, 'typed twice on Friday')).toMatchObject({
        state: 'same_waits',
        approval_id: one.approval_id,
        balance: 50,
      })
    }
    const another = await correct(finance, 'typed twice on Friday', { is_another: true })
    expect(another).toMatchObject({ state: 'proposed', balance: 50 })
    expect(another.approval_id).not.toBe(one.approval_id)
    expect((await finance.ask('POST', `/desk/api/approvals/${one.approval_id}/confirm`)).status).toBe(200)
    expect((await owner.ask('POST', `/desk/api/approvals/${another.approval_id}/confirm`)).status).toBe(200)
    expect((await owner.ask('GET', `${path.replace('corrections', 'entries')}?purse=main`)).body.data.entries).toMatchObject([
      { amount: -7.77 },
      { amount: -7.77 },
      { amount: 50 },
    ])
    await mustPassAudit(shop.db)
  })

  it('is credited once per reference, above the limit and back again by two people', async () => {
    await writeSetting(shop.db, creditLimitOnePerson, 100, 'test')
    const { accountId } = await makeAccount(shop.db)
    const path = `/desk/api/accounts/${accountId}`
    const receipt = () => ({ way: 'cash', number: newId(), reference: `ref-${newId()}` })
    const credit = { purse: 'main', amount: 40.5, ...receipt(), note: 'cash at the desk' }
    const outcomes = []
    for (const body of [credit, credit]) outcomes.push((await finance.ask('POST', `${path}/credits`, body)).body.data)
    expect(outcomes).toEqual([
      { state: 'done', approval_id: null, why: null, balance: 40.5 },
      { state: 'done_before', approval_id: null, why: null, balance: 40.5 },
    ])
    expect(reasonOf(await finance.ask('POST', `${path}/credits`, { ...credit, amount: 41 }))).toEqual([409, 'not_possible'])
    const half = { ...credit, purse: 'sms_credits', amount: 0.5, ...receipt() }
    expect(reasonOf(await finance.ask('POST', `${path}/credits`, half))).toEqual([400, 'invalid_request'])
    const large = { ...credit, amount: 500, ...receipt() }
    for (const _again of [1, 2]) {
      expect((await finance.ask('POST', `${path}/credits`, large)).body.data).toMatchObject({ state: 'proposed', balance: 40.5 })
    }
    const [waiting] = (await finance.ask('GET', `${path}/credits`)).body.data.waiting
    expect(waiting).toMatchObject({ proposed_by: 'finance@desk.test', before: 'GHS 40.50', after: 'GHS 540.50' })
    const agree = (by: string) => agreeOn(waiting.approval_id, by)
    await expect(agree('finance@desk.test')).rejects.toThrow('a second person confirms')
    await agree('owner@desk.test')

    const [newest] = (await finance.ask('GET', `${path}/credits`)).body.data.credits
    expect(newest).toMatchObject({ amount: 500, left: 500, reference: `cash ${large.number.replaceAll('-', '').toUpperCase()}` })
    const correction = {
      purse: 'main',
      amount: 500,
      credit_id: newest.credit_id,
      reason: 'wrong account',
      reference: `ref-${newId()}`,
    }
    const corrections = `${path}/corrections`
    const proposed = (await finance.ask('POST', corrections, correction)).body.data
    expect(proposed).toMatchObject({ state: 'proposed', balance: 540.5 })
    expect((await finance.ask('POST', corrections, correction)).body.data).toEqual(proposed)
    await agreeOn(proposed.approval_id, 'owner@desk.test')
    expect((await finance.ask('GET', `${path}/credits`)).body.data.credits[0]).toMatchObject({ amount: 500, left: 0 })
    const entries = (await owner.ask('GET', `${path}/entries?purse=main`)).body.data.entries
    expect(entries.map(({ amount }: { amount: number }) => amount)).toEqual([-500, 500, 40.5])
    expect((await owner.ask('GET', `${path}/entries.csv?purse=main`)).body).toContain('wrong account')
    const month = new Date().toISOString().slice(0, 7)
    for (const file of ['pdf', 'csv']) {
      const { status } = await owner.ask('GET', `${path}/statement.${file}?purse=main&month=${month}`)
      expect([file, status]).toEqual([file, 200])
    }
    const move = { amount: 5, reference: `ref-${newId()}` }
    expect(reasonOf(await finance.ask('POST', `${path}/commission-transfers`, move))).toEqual([409, 'not_possible'])
    await mustPassAudit(shop.db)
  })

  it('is credited by one person up to the limit within 24 hours, in however many parts, also at one moment', async () => {
    await writeSetting(shop.db, creditLimitOnePerson, 100, 'test')
    const clerk = await makeStaffMember('finance', 'clerk@desk.test')
    const [first, second] = [await makeAccount(shop.db), await makeAccount(shop.db)]
    const creditTo = async ({ accountId }: { accountId: string }, amount: number) => {
      const credit = { purse: 'main', amount, way: 'cash', number: newId(), reference: `ref-${newId()}`, note: 'cash' }
      return (await clerk.ask('POST', `/desk/api/accounts/${accountId}/credits`, credit)).body.data
    }
    const person = personNamed('clerk@desk.test')
    const credit = { ...first, purse: 'main' as const, amount: 9_000, externalId: undefined, note: 'cash', person, isLive: false }
    const isWaiting = async () => {
      const { rows } = await sql`
        select from pg_locks join pg_database on pg_database.oid = database
        where datname = current_database() and locktype = 'advisory' and not granted`.execute(shop.db)
      return rows.length > 0
    }
    const { racing } = await inTransaction(shop.db, async (tx) => {
      await creditByPeople(tx, credit)
      const answer = creditTo(second, 30)
      const isSoon = { timeout: patienceSeconds * 1_000 }
      await Promise.race([answer, vi.waitUntil(isWaiting, isSoon)])
      return { racing: answer }
    })
    expect(await racing).toMatchObject({
      state: 'proposed',
      why: 'One person credits at most GHS 100.00 within 24 hours. You credited GHS 90.00 in the last 24 hours already.',
    })
    expect(await creditTo(first, 10)).toMatchObject({ state: 'done' })
    expect(await creditTo(second, 0.01)).toMatchObject({ state: 'proposed' })
    const { ownerDb } = shop.app.database
    await ownerDb.transaction().execute(async (tx) => {
      await sql`alter table wallet_credits disable trigger user`.execute(tx)
      await sql`update wallet_credits set created_at = created_at - interval '24 hours' where account_id = ${first.accountId}`.execute(
        tx,
      )
      await sql`alter table wallet_credits enable trigger user`.execute(tx)
    })
    expect(await creditTo(second, 10)).toMatchObject({ state: 'done' })
    await mustPassAudit(shop.db)
  })

  it('is credited up to the limit once, not at the desk and again on the command line, where money is real', async () => {
    const clerk = await makeStaffMember('finance', 'both@desk.test')
    const { accountId } = await makeAccount(shop.db)
    const { ownerDb } = shop.app.database
    await ownerDb.insertInto('installation').values({ mode: 'live' }).execute()
    try {
      await setAgreed(shop.db, creditLimitOnePerson, 5_000)
      const credit = { accountId, purse: 'main' as const, externalId: undefined, note: 'cash', isLive: true }
      const person = { by: 'somebody', osUser: 'somebody' }
      await inTransaction(shop.db, (tx) => creditByPeople(tx, { ...credit, person, amount: 400_000 }))
      const atDesk = { purse: 'main', amount: 1_001, way: 'momo', number: newId(), reference: `ref-${newId()}`, note: 'cash' }
      const { data } = (await clerk.ask('POST', `/desk/api/accounts/${accountId}/credits`, atDesk)).body
      expect(data).toMatchObject({ state: 'proposed' })
    } finally {
      await ownerDb.deleteFrom('installation').execute()
      await writeSetting(shop.db, creditLimitOnePerson, 100, 'test')
    }
  })

  it('is corrected once per reference, whatever became of the proposal meanwhile', async () => {
    const { accountId } = await makeAccount(shop.db, { balancePesewas: 5_000 })
    const path = `/desk/api/accounts/${accountId}/corrections`
    const correction = { purse: 'main', amount: 10, reason: 'twice', reference: `ref-${newId()}` }
    const [proposed, ...others] = await Promise.all([1, 2, 3].map(async () => (await finance.ask('POST', path, correction)).body))
    expect(others.map(({ data }) => data)).toEqual([proposed.data, proposed.data])
    await agreeOn(proposed.data.approval_id, 'owner@desk.test')
    expect((await finance.ask('POST', path, correction)).body.data).toMatchObject({
      state: 'proposed',
      approval_id: proposed.data.approval_id,
    })
    expect(reasonOf(await finance.ask('POST', path, { ...correction, amount: 11 }))).toEqual([409, 'not_possible'])
    expect(reasonOf(await owner.ask('POST', path, correction))).toEqual([409, 'not_possible'])
    const { waiting } = (await finance.ask('GET', `/desk/api/accounts/${accountId}/credits`)).body.data
    expect(waiting).toEqual([])
    await mustPassAudit(shop.db)
  })
})
