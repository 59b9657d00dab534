import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { describe, expect, it, vi } from 'vitest'
import { makeAccount } from '../../test/make-account.ts'
import { setUpPeople, testPassword } from '../../test/set-up-people.ts'

const shop = setUpPeople()
const wish = (email: string, name = 'Ama Mensah') => ({ name, email, password: testPassword })

describe('signing up', () => {
  it('makes an account, its owner and a mail; nothing works before the link of the mail was opened', async () => {
    const browser = await shop.browser()
    expect((await browser.ask('POST', '/app/api/sign-up', wish('Ama@Example.test'))).body.data).toEqual({ accepted: true })
    const signIn = await browser.ask('POST', '/app/api/sign-in', { email: 'ama@example.test', password: testPassword })
    expect([signIn.status, signIn.headers['x-error-reason']]).toEqual([403, 'email_not_verified'])
    expect((await browser.ask('GET', '/app/api/me')).status).toBe(401)

    const token = await shop.tokenFor('ama@example.test')
    const verified = await browser.ask('POST', '/app/api/verify', { token, password: testPassword })
    expect(verified.body.data).toEqual({ status: 'signed_in' })
    const me = (await browser.ask('GET', '/app/api/me')).body.data
    expect(me).toMatchObject({
      person: { email: 'ama@example.test', name: 'Ama Mensah', has_two_factor: false },
      role: 'owner',
      account: { email: 'ama@example.test', name: 'Ama Mensah', role: 'customer', status: 'active' },
    })
    expect(me.permissions).toContain('manage_members')
    expect(Date.parse(me.person.confirmed_until)).toBeGreaterThan(0)
    const wallets = await shop.db.selectFrom('wallets').select('purse').where('account_id', '=', me.account.account_id).execute()
    expect(wallets).toHaveLength(3)
  })

  it('lets nobody in who opens the link without the password that was chosen', async () => {
    const browser = await shop.browser()
    await browser.ask('POST', '/app/api/sign-up', wish('victim@example.test'))
    const token = await shop.tokenFor('victim@example.test')
    const wrong = await browser.ask('POST', '/app/api/verify', { token, password: 'another password' })
    expect([wrong.status, browser.cookies.size]).toEqual([401, 0])
    const person = shop.db.selectFrom('persons').select('email_verified').where('email', '=', 'victim@example.test')
    expect(await person.executeTakeFirstOrThrow()).toEqual({ email_verified: false })
  })

  it('refuses a link that was altered', async () => {
    const browser = await shop.browser()
    await browser.ask('POST', '/app/api/sign-up', wish('altered@example.test'))
    const [head, claims, signature = ''] = (await shop.tokenFor('altered@example.test')).split('.')
    const altered = [head, claims, `${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`].join('.')
    for (const token of [altered, 'nothing', 'a.b.c', '…']) {
      const answer = await browser.ask('POST', '/app/api/verify', { token, password: testPassword })
      expect([answer.status, answer.headers['x-error-reason']]).toEqual([400, 'link_invalid'])
    }
  })

  it('confirms only the person that the link was sent to, also when the e-mail is another person’s since', async () => {
    const browser = await shop.browser()
    await browser.ask('POST', '/app/api/sign-up', wish('moved@example.test'))
    const token = await shop.tokenFor('moved@example.test')
    await shop.db
      .updateTable('persons')
      .set({ email: 'elsewhere@example.test' })
      .where('email', '=', 'moved@example.test')
      .execute()
    await shop.app.database.ownerDb
      .updateTable('accounts')
      .set({ email: 'elsewhere@example.test' })
      .where('email', '=', 'moved@example.test')
      .execute()
    await browser.ask('POST', '/app/api/sign-up', wish('moved@example.test'))
    const old = await browser.ask('POST', '/app/api/verify', { token, password: testPassword })
    expect([old.status, old.headers['x-error-reason']]).toEqual([400, 'link_invalid'])
    const own = { token: await shop.tokenFor('moved@example.test'), password: testPassword }
    expect((await browser.ask('POST', '/app/api/verify', own)).body.data).toEqual({ status: 'signed_in' })
  })

  it('answers the same for a known e-mail and costs a hash too, changes nothing, and tells its owner by mail', async () => {
    await shop.makeMember('known@example.test')
    const browser = await shop.browser()
    const hashing = vi.spyOn(crypto, 'scrypt')
    syncBuiltinESMExports()
    const asked = async (body: object) => {
      hashing.mockClear()
      const { status, body: answer } = await browser.ask('POST', '/app/api/sign-up', body)
      return [status, answer.data, hashing.mock.calls.length]
    }
    try {
      const fresh = await asked(wish('fresh@example.test'))
      expect(fresh).toEqual([200, { accepted: true }, 1])
      expect(await asked({ ...wish('KNOWN@example.test', 'Somebody'), password: 'not the old one' })).toEqual(fresh)
    } finally {
      hashing.mockRestore()
      syncBuiltinESMExports()
    }
    expect((await shop.mailsTo('known@example.test'))[0]?.subject).toBe('You have a sign-in already')
    const signIn = await browser.ask('POST', '/app/api/sign-in', { email: 'known@example.test', password: testPassword })
    expect(signIn.body.data).toEqual({ status: 'signed_in' })
    expect((await browser.ask('GET', '/app/api/me')).body.data.person.name).toBe('Ama Mensah')
  })

  it('gives nobody the account that the operator made for an e-mail', async () => {
    const { accountId } = await makeAccount(shop.db)
    await shop.app.database.ownerDb
      .updateTable('accounts')
      .set({ email: 'Office@Example.test' })
      .where('id', '=', accountId)
      .execute()
    const browser = await shop.browser()
    expect((await browser.ask('POST', '/app/api/sign-up', wish('office@example.test'))).status).toBe(200)
    expect((await shop.mailsTo('office@example.test'))[0]?.subject).toBe('You are known to us already')
    expect(await shop.db.selectFrom('members').selectAll().where('account_id', '=', accountId).execute()).toEqual([])
  })

  it('makes one account when the same e-mail signs up many times at once', async () => {
    const browser = await shop.browser()
    await shop.db.deleteFrom('rate_limits').execute()
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => browser.ask('POST', '/app/api/sign-up', wish('twice@example.test'))),
    )
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(await shop.db.selectFrom('accounts').select('id').where('email', '=', 'twice@example.test').execute()).toHaveLength(1)
  })
})
