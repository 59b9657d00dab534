import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import type { TestBrowser } from '../../../test/open-browser.ts'
import { root } from '../../../test/reading/read-sources.ts'
import { setUpPeople } from '../../../test/set-up-people.ts'
import { firstIdAt } from '../../platform/database/first-id-at.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { newId } from '../../platform/database/new-id.ts'
import { writeSetting } from '../../platform/settings/settings.ts'
import { requestLogScope } from '../accounts.settings.ts'
import { approveKey } from '../approve-key.ts'
import { declineBusinessRequest } from '../business/decide-business-request.ts'
import { setBusinessApproval } from '../set-business-approval.ts'
import { createAddressCheck, readAddressRanges } from './address-ranges.ts'
import { readDeveloperPolicy } from './read-developer-policy.ts'

const shop = setUpPeople()
let ama: TestBrowser
let accountId: string

const keyOf = async (type: string) => {
  const { keys } = (await ama.ask('GET', '/app/api/keys')).body.data
  return (keys as { type: string; obstacle: string | null; key: Record<string, unknown> | null }[]).find(
    (each) => each.type === type,
  )
}
const refusalOf = async (method: string, path: string, body?: unknown) => {
  const { status, headers } = await ama.ask(method, path, body)
  return [status, headers['x-error-reason']]
}
const makeKey = async (type: string) => (await ama.ask('POST', '/app/api/keys', { type })).body.data
const callWith = async (key: string, path = '/account/role') => {
  await shop.app.untilSeen()
  const { status, headers } = await shop.app.call('GET', path, { key })
  return [status, headers['x-error-reason']]
}
const setRole = async (role: 'customer' | 'agent', expiresAt: Date | null = null) => {
  const set = { role, role_expires_at: expiresAt }
  await shop.db.updateTable('accounts').set(set).where('id', '=', accountId).execute()
}
const noticesOf = async () => {
  const notices = shop.db.selectFrom('reseller_notices').select(['kind', 'body']).where('account_id', '=', accountId)
  return notices.orderBy('id').execute()
}

beforeAll(async () => {
  ama = await shop.makeMember('ama@example.test')
  accountId = (await ama.ask('GET', '/app/api/me')).body.data.account.account_id
})

describe('the developer policy', () => {
  it('has a new version for every new text, so that nobody is bound by words that they did not accept', () => {
    const text = readFileSync(join(root, 'docs/policies/developer-policy.md'), 'utf8')
    const digests: Record<number, string> = { 1: '26f5289315f3798f' }
    expect(createHash('sha256').update(text).digest('hex').slice(0, 16)).toBe(digests[readDeveloperPolicy().version])
  })

  it('is accepted in the version that was read, once, with person and address', async () => {
    const { version, parts, accepted_version: before } = (await ama.ask('GET', '/app/api/policy')).body.data
    expect({ before, headings: parts.length > 5 }).toEqual({ before: null, headings: true })
    expect(await refusalOf('POST', '/app/api/policy/acceptance', { version: version + 1 })).toEqual([409, 'policy_changed'])
    const first = (await ama.ask('POST', '/app/api/policy/acceptance', { version })).body.data
    const again = (await ama.ask('POST', '/app/api/policy/acceptance', { version })).body.data
    expect(first).toMatchObject({ accepted_version: version, accepted_at: again.accepted_at })
    const rows = await shop.db.selectFrom('policy_acceptances').selectAll().where('account_id', '=', accountId).execute()
    const { person } = (await ama.ask('GET', '/app/api/me')).body.data
    expect(rows).toMatchObject([{ version, person_id: person.person_id, address: expect.stringContaining('127.0.0.1') }])
  })
})

describe('a key made in the browser', () => {
  it('of the standard type is for agents and dealers whose role holds and who accepted the policy in force', async () => {
    expect(await keyOf('standard')).toMatchObject({ obstacle: 'key_role_needed', key: null })
    expect(await refusalOf('POST', '/app/api/keys', { type: 'standard' })).toEqual([409, 'key_role_needed'])
    await setRole('agent', new Date(Date.now() - 1_000))
    expect(await refusalOf('POST', '/app/api/keys', { type: 'commission' })).toEqual([409, 'role_expired'])
    await setRole('agent')
    const { ownerDb } = shop.app.database
    await ownerDb.updateTable('policy_acceptances').set({ version: 999 }).where('account_id', '=', accountId).execute()
    expect(await refusalOf('POST', '/app/api/keys', { type: 'standard' })).toEqual([409, 'policy_not_accepted'])
    await ownerDb.deleteFrom('policy_acceptances').where('account_id', '=', accountId).execute()
    await ama.ask('POST', '/app/api/policy/acceptance', { version: readDeveloperPolicy().version })
    expect(await keyOf('standard')).toMatchObject({ obstacle: null })
  })

  it('waits for the operator, is shown once, and then works', async () => {
    const made = await makeKey('standard')
    expect(made).toMatchObject({ status: 'pending', key: expect.stringMatching(/^makola_live_/) })
    expect(await callWith(made.key)).toEqual([403, 'key_pending'])
    await inTransaction(shop.db, (tx) => approveKey(tx, { keyId: made.key_id, actor: 'test' }))
    expect(await callWith(made.key)).toEqual([200, undefined])
    const listed = await ama.ask('GET', '/app/api/keys')
    expect(JSON.stringify(listed.body)).not.toContain(made.key)
    expect(await keyOf('standard')).toMatchObject({ key: { status: 'active', hint: made.key.slice(-4), addresses: [] } })
    const log = shop.db.selectFrom('operator_log').select('actor').where('action', '=', 'key create')
    expect(await log.where('subject', '=', made.key_id).execute()).toEqual([{ actor: 'person:ama@example.test' }])
  })

  it('takes the place of the old one at once', async () => {
    const old = (await keyOf('standard'))?.key
    const made = await makeKey('standard')
    const keys = shop.db.selectFrom('api_keys').select('status').where('account_id', '=', accountId)
    expect(await keys.where('id', '=', String(old?.['key_id'])).execute()).toEqual([{ status: 'revoked' }])
    expect(await refusalOf('DELETE', `/app/api/keys/${String(old?.['key_id'])}`)).toEqual([404, 'key_not_found'])
    expect((await ama.ask('DELETE', `/app/api/keys/${made.key_id}`)).body.data).toEqual({
      key_id: made.key_id,
      status: 'revoked',
    })
    expect(await callWith(made.key)).toEqual([403, 'key_revoked'])
  })

  it('is changed without a gap: its successor works at once from the same addresses, and the old one until it is ended', async () => {
    const { key_id: oldId, key: oldKey } = await makeKey('standard')
    const rotate = (keyId: string) => ama.ask('POST', `/app/api/keys/${keyId}/rotate`)
    expect(await refusalOf('POST', `/app/api/keys/${oldId}/rotate`)).toEqual([409, 'key_not_active'])
    await inTransaction(shop.db, (tx) => approveKey(tx, { keyId: oldId, actor: 'test' }))
    await ama.ask('POST', `/app/api/keys/${oldId}/addresses`, { addresses: ['127.0.0.0/8'] })
    const made = (await rotate(oldId)).body.data
    expect(made).toMatchObject({ status: 'active' })
    expect([await callWith(oldKey), await callWith(made.key)]).toEqual([
      [200, undefined],
      [200, undefined],
    ])
    expect(await keyOf('standard')).toMatchObject({
      key: { key_id: made.key_id, addresses: ['127.0.0.0/8'], ends_at: null },
      old_key: { key_id: oldId, ends_at: expect.any(String) },
    })
    expect(await noticesOf()).toContainEqual({ kind: 'key_approved', body: expect.stringContaining('If you did not ask') })
    expect(await refusalOf('POST', `/app/api/keys/${made.key_id}/rotate`)).toEqual([409, 'key_rotated_already'])
    await ama.ask('DELETE', `/app/api/keys/${oldId}`)
    expect([await callWith(oldKey), await callWith(made.key)]).toEqual([
      [403, 'key_revoked'],
      [200, undefined],
    ])
    await setRole('agent', new Date(Date.now() - 1_000))
    expect(await refusalOf('POST', `/app/api/keys/${made.key_id}/rotate`)).toEqual([409, 'role_expired'])
    await setRole('agent')
  })

  it('shows how often it was called today, and how many of these calls were refused', async () => {
    const { key_id: keyId } = await makeKey('standard')
    const call = {
      key_id: keyId,
      method: 'GET',
      path: '/packages',
      milliseconds: 1,
      request_id: 'r',
      request: null,
      response: null,
    }
    const yesterday = { ...call, id: firstIdAt(Date.now() - 86_400_000), called_at: new Date(), status: 403 }
    const today = [200, 200, 403].map((status) => ({ ...call, id: newId(), called_at: new Date(), status }))
    await shop.db
      .insertInto('request_log')
      .values([yesterday, ...today])
      .execute()
    expect(await keyOf('standard')).toMatchObject({ key: { calls_today: 3, refused_today: 1 } })
    await writeSetting(shop.db, requestLogScope, 'refused', 'test')
    expect(await keyOf('standard')).toMatchObject({ key: { calls_today: null, refused_today: 1 } })
    await writeSetting(shop.db, requestLogScope, 'all', 'test')
  })

  it('is nobody else’s to touch', async () => {
    const kofi = await shop.makeMember('kofi@example.test')
    const { key_id: keyId } = await makeKey('commission')
    for (const [method, path, body] of [
      ['DELETE', `/app/api/keys/${keyId}`, undefined],
      ['POST', `/app/api/keys/${keyId}/addresses`, { addresses: [] }],
      ['POST', `/app/api/keys/${keyId}/rotate`, undefined],
    ] as const) {
      const { status, headers } = await kofi.ask(method, path, body)
      expect([status, headers['x-error-reason']]).toEqual([404, 'key_not_found'])
    }
  })
})

describe('a business', () => {
  it('asks for its approval, is declined with the reason, asks again, is approved, and makes an SMS key that works at once', async () => {
    const request = { name: 'Ama Shop', registration_number: 'BN123456789', purpose: 'Receipts for our customers.' }
    expect((await ama.ask('GET', '/app/api/business')).body.data).toMatchObject({ state: 'none' })
    expect(await refusalOf('POST', '/app/api/keys', { type: 'sms' })).toEqual([409, 'business_needed'])
    expect((await ama.ask('POST', '/app/api/business', request)).body.data).toMatchObject({ state: 'waiting', ...request })
    expect(await refusalOf('POST', '/app/api/business', request)).toEqual([409, 'business_request_waits'])
    await inTransaction(shop.db, (tx) =>
      declineBusinessRequest(tx, { accountId, reason: 'Send the certificate.', actor: 'test' }),
    )
    expect((await ama.ask('GET', '/app/api/business')).body.data).toMatchObject({
      state: 'declined',
      reason: 'Send the certificate.',
    })
    await ama.ask('POST', '/app/api/business', request)
    await inTransaction(shop.db, (tx) => setBusinessApproval(tx, { accountId, isBusiness: true, actor: 'test' }))
    expect((await ama.ask('GET', '/app/api/business')).body.data).toMatchObject({ state: 'approved' })
    expect(await refusalOf('POST', '/app/api/business', request)).toEqual([409, 'business_is_approved'])
    expect(await noticesOf()).toEqual(
      expect.arrayContaining([
        { kind: 'business_declined', body: expect.stringContaining('Send the certificate.') },
        { kind: 'business_approved', body: expect.stringContaining('may send SMS') },
      ]),
    )
    const { key } = await makeKey('sms')
    expect(await callWith(key, '/sms/balance')).toEqual([200, undefined])
  })
})

describe('the addresses from which a key may be used', () => {
  it.each([
    [['203.0.113.7'], ['203.0.113.7/32']],
    [['203.0.113.99/24', '203.0.113.1/24'], ['203.0.113.0/24']],
    [['2001:DB8::1/32'], ['2001:db8::/32']],
    [['::ffff:203.0.113.7'], ['203.0.113.7/32']],
    [['::ffff:203.0.113.7/120'], ['203.0.113.0/24']],
  ])('%j are written %j', (given, written) => {
    expect(readAddressRanges(given)).toEqual(written)
  })

  it.each(['', '203.0.113', '0203.0.113.7', '203.0.113.7/33', '203.0.113.7/-1', '::1/129', 'fe80::1%eth0', 'home', '1/2/3'])(
    'are refused when one is %j',
    (text) => {
      expect(() => readAddressRanges([text])).toThrow('is not an address or a network')
    },
  )

  it('are compared in both ways of writing IPv4', () => {
    const isAllowed = createAddressCheck(['203.0.113.0/24', '2001:db8::/32'])
    expect(['203.0.113.9', '::ffff:203.0.113.9', '2001:db8::9'].map((address) => isAllowed?.(address))).toEqual([
      true,
      true,
      true,
    ])
    expect(['203.0.114.9', '::ffff:203.0.114.9', '2001:db9::9', ''].map((address) => isAllowed?.(address))).not.toContain(true)
    expect(createAddressCheck([])).toBeUndefined()
  })

  it('stop every other caller with 403, and none means everywhere again', async () => {
    const { key_id: keyId, key } = await makeKey('standard')
    await inTransaction(shop.db, (tx) => approveKey(tx, { keyId, actor: 'test' }))
    const set = async (addresses: string[]) =>
      (await ama.ask('POST', `/app/api/keys/${keyId}/addresses`, { addresses })).body.data
    expect(await set(['203.0.113.7'])).toEqual({ key_id: keyId, addresses: ['203.0.113.7/32'], is_yours_allowed: false })
    expect(await callWith(key)).toEqual([403, 'address_not_allowed'])
    expect(await set(['127.0.0.0/8', '::1'])).toMatchObject({ is_yours_allowed: true })
    expect(await callWith(key)).toEqual([200, undefined])
    await set(['203.0.113.7'])
    expect(await set([])).toMatchObject({ addresses: [], is_yours_allowed: true })
    expect(await callWith(key)).toEqual([200, undefined])
    expect(await refusalOf('POST', `/app/api/keys/${keyId}/addresses`, { addresses: ['home'] })).toEqual([400, 'bad_address'])
  })
})

describe('the steps from the sign-up to the first order', () => {
  it('say what is done and who must act, and go away when they are dismissed', async () => {
    const esi = await shop.makeMember('esi@example.test')
    const stepsOf = async (browser: TestBrowser) => {
      const { steps, is_dismissed: isDismissed } = (await browser.ask('GET', '/app/api/home')).body.data.set_up
      const done = (steps as { step: string; is_done: boolean }[]).flatMap((each) => (each.is_done ? [each.step] : []))
      return { done, isDismissed }
    }
    // The step `phone` counts as done: a person who gave no phone number has none to confirm.
    expect(await stepsOf(esi)).toEqual({ done: ['email', 'phone'], isDismissed: false })
    expect((await esi.ask('GET', '/app/api/home')).body.data.set_up.steps).toContainEqual({
      step: 'approval',
      is_done: false,
      who: 'operator',
    })
    expect(await stepsOf(ama)).toMatchObject({ done: ['email', 'phone', 'role', 'policy', 'key', 'approval'] })
    await esi.ask('POST', '/app/api/set-up/dismissal')
    await esi.ask('POST', '/app/api/set-up/dismissal')
    expect(await stepsOf(esi)).toMatchObject({ isDismissed: true })
  })
})
