import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { makeAccount, makeKeyFor, personNamed } from '../../../test/make-account.ts'
import type { TestBrowser } from '../../../test/open-browser.ts'
import { setUpPeople, testPassword } from '../../../test/set-up-people.ts'
import { setAccountNotices } from '../../accounts/notices/set-account-notices.ts'
import { correctWallet } from '../../money/by-people/correct-wallet.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { newId } from '../../platform/database/new-id.ts'
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
    // A member of the staff neither confirms nor refuses somebody else's proposal about an account that they act for.
    const { approvalId } = await inTransaction(shop.db, (tx) =>
      correctWallet(tx, { accountId, purse: 'main', amount: 1, of: undefined, reason: 'r', person: personNamed('yaw') }),
    )
    const seen = (browser: TestBrowser) => browser.ask('GET', `/desk/api/approvals/${approvalId}`)
    const closed = { is_own_account: true, may_confirm: false, may_refuse: false }
    expect((await seen(finance)).body.data).toMatchObject(closed)
    expect((await seen(owner)).body.data).toMatchObject({ is_own_account: false, may_confirm: true, may_refuse: true })
    const inAccount = await finance.ask('GET', `/desk/api/accounts/${accountId}/credits`)
    expect(inAccount.body.data).toMatchObject({ waiting: [closed] })
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
