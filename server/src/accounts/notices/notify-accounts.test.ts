import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { makeAccount } from '../../../test/make-account.ts'
import { type MailServer, startMailServer } from '../../../test/servers/start-mail-server.ts'
import { createTestDatabase, type TestDatabase } from '../../../test/test-database.ts'
import { creditWallet } from '../../money/credit-wallet.ts'
import { pesewas } from '../../money/pesewas.ts'
import { transferMany } from '../../money/transfer-many.ts'
import { lockWallets } from '../../money/wallets.ts'
import { listResellerNotices } from '../../notices/list-reseller-notices.ts'
import type { CourtesySms, CourtesySmsOutcome } from '../../notices/message-transports.ts'
import { resellerSmsNotices } from '../../notices/notices.settings.ts'
import { type ResellerNoticeDeps, sendResellerNotices } from '../../notices/send-reseller-notices.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { newId } from '../../platform/database/new-id.ts'
import { writeSetting } from '../../platform/settings/settings.ts'
import { approveKey } from '../approve-key.ts'
import { createKey } from '../create-key.ts'
import { revokeKey } from '../revoke-key.ts'
import { setAccountRole } from '../set-account-role.ts'
import { setAccountStatus } from '../set-account-status.ts'
import { findContacts, notifyAccounts } from './notify-accounts.ts'
import { setAccountNotices } from './set-account-notices.ts'
import { watchLowBalances } from './watch-low-balances.ts'
import { watchRoleExpiries } from './watch-role-expiries.ts'

const actor = 'test'
const log = pino({ level: 'silent' })
const hourMilliseconds = 3_600_000
const dayMilliseconds = 24 * hourMilliseconds

let database: TestDatabase
let mailServer: MailServer
let accountId: string

beforeAll(async () => {
  database = await createTestDatabase()
})
beforeEach(async () => {
  mailServer = await startMailServer()
  accountId = (await makeAccount(database.db, { balancePesewas: 10_000 })).accountId
})
afterEach(async () => {
  await mailServer.close()
  await sql`delete from reseller_notices`.execute(database.ownerDb)
})
afterAll(() => database.drop())

const send = (more: Partial<ResellerNoticeDeps> = {}) =>
  sendResellerNotices({
    db: database.db,
    log,
    findContacts,
    publicUrl: 'https://shop.example.com',
    mailServer: { smtpUrl: mailServer.url, from: 'Makola <makola@shop.example.com>' },
    sms: undefined,
    ...more,
  })

/** The notices of the account, oldest first. */
const told = async () => (await listResellerNotices(database.db, { accountId, limit: 100 })).toReversed()
const kinds = async () => (await told()).map(({ kind, channel }) => `${kind} ${channel}`)
const makeDue = () => sql`update reseller_notices set next_try_at = now() where state = 'queued'`.execute(database.db)

const notice = (about: string) => ({
  accountId,
  kind: 'report_answered' as const,
  about,
  subject: `Subject ${about}`,
  text: `Text ${about}`,
  sms: `SMS ${about}`,
})
const tell = (...about: string[]) => inTransaction(database.db, (tx) => notifyAccounts(tx, about.map(notice)))

/** Stands in for the sending of SMS, and keeps the texts that it is given. */
function smsPort(outcome: CourtesySmsOutcome = { outcome: 'sent' }) {
  const sent: CourtesySms[] = []
  return { sent, sendSms: async (sms: CourtesySms) => (sent.push(sms), outcome) }
}

async function wish(wishes: { lowBalancePesewas?: number | null; phone?: string | null }) {
  const { lowBalancePesewas: low, ...rest } = wishes
  const lowBalancePesewas = low == null ? low : pesewas(low)
  await inTransaction(database.db, (tx) =>
    setAccountNotices(tx, { accountId, ...rest, ...(lowBalancePesewas !== undefined && { lowBalancePesewas }), actor }),
  )
}

describe('a notice to a reseller', () => {
  it('is mailed once, however many workers look for it and however often', async () => {
    await tell('a')
    await Promise.all(Array.from({ length: 6 }, () => send()))
    await send()
    expect(mailServer.mails).toHaveLength(1)
    expect(mailServer.mails[0]).toContain('Subject: Subject a')
    expect(mailServer.mails[0]).toContain('Text a')
    expect(mailServer.mails[0]).toContain('https://shop.example.com')
    expect(await told()).toMatchObject([{ state: 'sent', tries: 1, reason: null, sent_to: expect.stringContaining('@') }])
  })

  it('is not there when its cause is rolled back, and once when it is told twice', async () => {
    const failing = inTransaction(database.db, async (tx) => {
      await notifyAccounts(tx, [notice('a')])
      throw new Error('changed my mind')
    })
    await expect(failing).rejects.toThrow('changed my mind')
    expect(await told()).toEqual([])
    await Promise.all([tell('a'), tell('a'), tell('a')])
    expect(await told()).toHaveLength(1)
  })

  it('leaves in one mail with the others that are due for its account', async () => {
    await tell('a', 'b', 'c')
    await send()
    expect(mailServer.mails).toHaveLength(1)
    expect(mailServer.mails[0]).toContain('Subject: 3 notices about your account')
    for (const about of ['a', 'b', 'c']) expect(mailServer.mails[0]).toContain(`Text ${about}`)
  })

  it('that its worker was killed over is mailed again under the same message id, and not sent by SMS again', async () => {
    await writeSetting(database.db, resellerSmsNotices, true, actor)
    await wish({ phone: '233241234567' })
    await tell('a')
    const port = smsPort()
    await send({ sms: port })
    // Makes the rows look as after the death of a process between sending and writing the outcome.
    await sql`
      update reseller_notices set state = 'sending', ended_at = null, lease_until = now() - interval '1 second'`.execute(
      database.db,
    )
    await send({ sms: port })
    const ids = mailServer.mails.map((mail) => /Message-ID: (\S+)/i.exec(mail)?.[1])
    expect(ids).toHaveLength(2)
    expect(ids[0]).toBe(ids[1])
    expect(port.sent).toEqual([{ to: '233241234567', text: 'SMS a' }])
    expect((await told()).map(({ channel, state, reason }) => ({ channel, state, reason }))).toEqual(
      expect.arrayContaining([
        { channel: 'email', state: 'sent', reason: null },
        { channel: 'sms', state: 'failed', reason: 'its sender died while sending' },
      ]),
    )
    await writeSetting(database.db, resellerSmsNotices, false, actor)
  })

  it('is tried again while the mail server is away, and given up after eight tries with the reason', async () => {
    await tell('a')
    const away = { mailServer: { smtpUrl: 'smtp://127.0.0.1:1', from: 'makola@example.com' } }
    await send(away)
    expect(await told()).toMatchObject([{ state: 'queued', tries: 1, reason: expect.stringContaining('could not be reached') }])
    await send(away)
    expect(await told()).toMatchObject([{ tries: 1 }])
    for (let round = 0; round < 9; round += 1) {
      await makeDue()
      await send(away)
    }
    expect(await told()).toMatchObject([{ state: 'failed', tries: 8, reason: expect.stringContaining('could not be reached') }])
    await makeDue()
    await send()
    expect(mailServer.mails).toEqual([])
  })

  it('waits without a mail server, and fails after three days', async () => {
    await tell('a')
    await send({ mailServer: undefined })
    expect(await told()).toMatchObject([{ state: 'queued', tries: 0 }])
    await sql`update reseller_notices set created_at = now() - interval '73 hours'`.execute(database.db)
    await send({ mailServer: undefined })
    expect(await told()).toMatchObject([{ state: 'failed', reason: 'there was no way out for it in time' }])
  })

  it('goes by SMS only where the operator allows it and the account has a number', async () => {
    await wish({ phone: '233241234567' })
    await tell('not allowed')
    await writeSetting(database.db, resellerSmsNotices, true, actor)
    await tell('both')
    await wish({ phone: null })
    await tell('no number')
    expect(await kinds()).toEqual([
      'report_answered email',
      'report_answered email',
      'report_answered sms',
      'report_answered email',
    ])
    const port = smsPort()
    await send({ sms: port })
    // The account's number was removed after the notice was noted.
    expect(port.sent).toEqual([])
    expect((await told()).filter(({ channel }) => channel === 'sms')).toMatchObject([
      { state: 'failed', sent_to: null, reason: 'the account has no number any more' },
    ])
    await tell('c')
    await send({ findContacts: async () => new Map() })
    expect((await told()).at(-1)).toMatchObject({ state: 'failed', reason: 'the account is gone' })
    await writeSetting(database.db, resellerSmsNotices, false, actor)
  })
})

describe('a key', () => {
  const makeKey = (isPending: boolean) =>
    inTransaction(database.db, (tx) => createKey(tx, { accountId, type: 'standard', isPending, prefix: 'makola', actor }))

  it('that is approved or revoked is told to its owner once, by its last four', async () => {
    const { keyId, key } = await makeKey(true)
    expect(await told()).toEqual([])
    for (let round = 0; round < 2; round += 1) await inTransaction(database.db, (tx) => approveKey(tx, { keyId, actor }))
    for (let round = 0; round < 2; round += 1) await inTransaction(database.db, (tx) => revokeKey(tx, { keyId, actor }))
    expect(await kinds()).toEqual(['key_approved email', 'key_revoked email'])
    const words = JSON.stringify(await told())
    expect(words).toContain(key.slice(-4))
    expect(words).not.toContain(key.slice(-5))
  })

  it('that a new one replaces is told as revoked', async () => {
    await makeKey(false)
    await makeKey(false)
    expect(await told()).toMatchObject([{ kind: 'key_revoked', body: expect.stringContaining('a new standard key was made') }])
  })
})

describe('a low balance', () => {
  const spend = (amount: number) =>
    inTransaction(database.db, async (tx) => {
      await lockWallets(tx, [{ accountId, purse: 'main' }])
      const purchase = { causeId: newId(), kind: 'purchase' as const, accountId, fromPurse: 'main' as const, amount }
      await transferMany(tx, [{ ...purchase, toPurse: 'sales' as const }])
    })
  const topUp = (amount: number) =>
    inTransaction(database.db, (tx) => creditWallet(tx, { accountId, purse: 'main', amount, actor }))
  const look = () => watchLowBalances(database.db)

  it('is told once for each fall below the threshold, and again only after it was above', async () => {
    await wish({ lowBalancePesewas: 5_000 })
    await look()
    expect(await told()).toEqual([])
    await spend(6_000)
    await Promise.all([look(), look(), look()])
    await spend(1_000)
    await look()
    expect(await told()).toMatchObject([{ kind: 'low_balance', subject: 'Your balance is low: GHS 40.00' }])
    await topUp(2_000)
    await look()
    expect(await told()).toHaveLength(1)
    await spend(1)
    await look()
    expect((await told()).map(({ about }) => about)).toEqual(['fall 1', 'fall 2'])
  })

  it('says how long it lasts at the pace of the last days', async () => {
    await wish({ lowBalancePesewas: 5_000 })
    await spend(6_000)
    await sql`alter table transfers disable trigger user`.execute(database.ownerDb)
    await sql`
      update transfers set created_at = now() - interval '3 days' where account_id = ${accountId} and kind = 'purchase'`.execute(
      database.ownerDb,
    )
    await sql`alter table transfers enable trigger user`.execute(database.ownerDb)
    await look()
    // GHS 60 in three days, GHS 40 left.
    expect((await told())[0]?.body).toContain('it lasts about 2 days.')
  })

  it('that is met by a new threshold is told at once; off tells nobody, nor is a suspended account told', async () => {
    await wish({ lowBalancePesewas: 20_000 })
    await inTransaction(database.db, (tx) => setAccountStatus(tx, { accountId, status: 'suspended', actor }))
    await look()
    expect(await told()).toEqual([])
    await inTransaction(database.db, (tx) => setAccountStatus(tx, { accountId, status: 'active', actor }))
    await look()
    await wish({ lowBalancePesewas: 30_000 })
    await look()
    expect(await told()).toHaveLength(2)
    await wish({ lowBalancePesewas: null })
    await look()
    expect(await told()).toHaveLength(2)
  })
})

describe('a role that ends', () => {
  const giveRole = (milliseconds: number) =>
    inTransaction(database.db, (tx) =>
      setAccountRole(tx, { accountId, role: 'dealer', roleExpiresAt: new Date(Date.now() + milliseconds), actor }),
    )
  const look = () => watchRoleExpiries(database.db)
  const steps = async () => (await told()).map(({ about }) => / (\d+) days before$/.exec(about)?.[1])

  it('is told 14, 3 and 1 days before, once each', async () => {
    await giveRole(15 * dayMilliseconds)
    await look()
    expect(await told()).toEqual([])
    const end = new Date(Date.now() + 14 * dayMilliseconds - hourMilliseconds)
    await giveRole(end.getTime() - Date.now())
    await Promise.all([look(), look()])
    expect(await steps()).toEqual(['14'])
    expect((await told())[0]).toMatchObject({
      kind: 'role_expires',
      body: expect.stringContaining('Your role as dealer ends on'),
    })
  })

  it('is told anew with a new date, and for a short one the nearest step alone', async () => {
    await giveRole(2 * dayMilliseconds)
    await look()
    await look()
    expect(await steps()).toEqual(['3'])
    await giveRole(2 * hourMilliseconds)
    await look()
    expect(await steps()).toEqual(['3', '1'])
    await giveRole(13 * dayMilliseconds)
    await look()
    expect(await steps()).toEqual(['3', '1', '14'])
  })
})

it('every notice by SMS fits one text', async () => {
  await writeSetting(database.db, resellerSmsNotices, true, actor)
  await wish({ phone: '233241234567', lowBalancePesewas: 99_999_999 })
  const key = { accountId, type: 'commission' as const, prefix: 'makola', actor }
  const { keyId } = await inTransaction(database.db, (tx) => createKey(tx, { ...key, isPending: true }))
  await inTransaction(database.db, (tx) => approveKey(tx, { keyId, actor }))
  await inTransaction(database.db, (tx) => createKey(tx, { ...key, isPending: true }))
  await watchLowBalances(database.db)
  const roleExpiresAt = new Date(Date.now() + hourMilliseconds)
  await inTransaction(database.db, (tx) => setAccountRole(tx, { accountId, role: 'dealer', roleExpiresAt, actor }))
  await watchRoleExpiries(database.db)
  const texts = (await told()).filter(({ channel }) => channel === 'sms')
  expect(texts.map(({ kind }) => kind)).toEqual(['key_approved', 'key_revoked', 'low_balance', 'role_expires'])
  expect(texts.filter(({ body }) => body.length > 160 || !/^[ -~]*$/.test(body))).toEqual([])
  await writeSetting(database.db, resellerSmsNotices, false, actor)
})
