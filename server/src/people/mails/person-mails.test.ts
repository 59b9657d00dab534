import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type MailServer, startMailServer } from '../../../test/servers/start-mail-server.ts'
import { setUpPeople, testPassword } from '../../../test/set-up-people.ts'
import type { CourtesySms } from '../../notices/message-transports.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { newId } from '../../platform/database/new-id.ts'
import { purgeExpiredPersonRows } from '../people-timers.ts'
import { insertPerson } from '../person-rows.ts'
import { queuePersonMail } from './queue-person-mail.ts'
import { type PersonMailDeps, sendPersonMails } from './send-person-mails.ts'

const shop = setUpPeople()
let server: MailServer
beforeAll(async () => {
  server = await startMailServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  await shop.db.deleteFrom('person_mails').execute()
  await shop.db.deleteFrom('rate_limits').execute()
})

const send = (options: Partial<PersonMailDeps> = {}) =>
  sendPersonMails({ ...shop.people, log: pino({ level: 'silent' }), mailServer: undefined, isKeeping: false, ...options })
const overSmtp = () => ({ mailServer: { smtpUrl: server.url, from: 'makola@example.com' } })
async function insertedPerson(email: string) {
  const personId = newId()
  await inTransaction(shop.db, (tx) => insertPerson(tx, { personId, name: 'Ama', email, isVerified: true }))
  return personId
}
const rows = () => shop.db.selectFrom('person_mails').select(['state', 'tries', 'kept_text', 'reason']).execute()
const signUp = async (email: string) =>
  (await shop.browser()).ask('POST', '/app/api/sign-up', { name: 'Ama', email, password: testPassword })

describe('mails to persons', () => {
  it('leave through the mail server once, with a link behind a #, and nothing of them is kept', async () => {
    await signUp('smtp@example.test')
    await Promise.all([send(overSmtp()), send(overSmtp()), send(overSmtp())])
    expect(server.mails).toHaveLength(1)
    expect(server.mails[0]).toContain('To: smtp@example.test')
    expect(server.mails[0]?.replaceAll('=\r\n', '')).toMatch(/\/app\/verify#token=/)
    expect(await rows()).toEqual([{ state: 'sent', tries: 1, kept_text: null, reason: null }])
  })

  it('wait where there is no mail server and no simulator', async () => {
    await signUp('waiting@example.test')
    await send()
    expect(await rows()).toMatchObject([{ state: 'queued', tries: 0 }])
  })

  it('are tried again when the mail server cannot be reached', async () => {
    await signUp('retry@example.test')
    await send({ mailServer: { smtpUrl: 'smtp://127.0.0.1:9', from: 'makola@example.com' } })
    expect(await rows()).toMatchObject([{ state: 'queued', tries: 1, reason: expect.stringContaining('could not be reached') }])
    await sql`update person_mails set next_try_at = clock_timestamp()`.execute(shop.db)
    await send(overSmtp())
    expect(await rows()).toMatchObject([{ state: 'sent', tries: 2, reason: null }])
  })

  it('are sent again when their sender died', async () => {
    await signUp('crash@example.test')
    await sql`update person_mails set state = 'sending', tries = 1, lease_until = clock_timestamp() - interval '1 second'`.execute(
      shop.db,
    )
    await send(overSmtp())
    expect(await rows()).toMatchObject([{ state: 'sent', tries: 2 }])
  })

  it('that are texts leave over the SMS link alone, once even where nobody knows whether it was taken', async () => {
    const text = { email: 'lost@example.test', phone: '0241230081' }
    const personId = await insertedPerson(text.email)
    await shop.db.insertInto('lost_factors').values({ id: newId(), person_id: personId, stop_digest: null }).execute()
    await queuePersonMail(shop.db, 'second_factor_lost', text.email, text)
    await send(overSmtp())
    expect(await rows()).toMatchObject([{ state: 'queued', tries: 0 }])
    const sent: CourtesySms[] = []
    const sms = {
      async sendSms(given: CourtesySms) {
        sent.push(given)
        return { outcome: 'unknown', reason: 'no answer' } as const
      },
    }
    await send({ sms })
    await send({ sms })
    expect(sent).toEqual([{ to: text.phone, text: expect.stringContaining('stop it in the app') }])
    expect(sent[0]?.text.length).toBeLessThanOrEqual(160)
    expect(await rows()).toMatchObject([{ state: 'failed', tries: 1, reason: 'no answer' }])
  })

  it('that are texts are not sent again when their sender died, because it may have been taken and costs money', async () => {
    await queuePersonMail(shop.db, 'phone_code', 'lost@example.test', { phone: '0241230081' })
    await sql`update person_mails set state = 'sending', tries = 1, lease_until = clock_timestamp() - interval '1 second'`.execute(
      shop.db,
    )
    await send(overSmtp())
    expect(await rows()).toMatchObject([{ state: 'failed', tries: 1, reason: 'its sender died while sending' }])
  })

  it('are claimed one at a time, so that none is taken for lost while the one before it is being sent', async () => {
    const phones = ['0241230082', '0241230083', '0241230084']
    for (const [index, phone] of phones.entries()) {
      const email = `slow-${index}@example.test`
      const personId = await insertedPerson(email)
      await shop.db.insertInto('lost_factors').values({ id: newId(), person_id: personId, stop_digest: null }).execute()
      await queuePersonMail(shop.db, 'second_factor_lost', email, { phone })
    }
    const sent: string[] = []
    const beingSent: number[] = []
    const sms = {
      async sendSms({ to }: CourtesySms) {
        sent.push(to)
        beingSent.push((await rows()).filter(({ state }) => state === 'sending').length)
        return { outcome: 'sent' } as const
      },
    }
    await send({ sms })
    expect(sent.toSorted()).toEqual(phones)
    expect(beingSent).toEqual([1, 1, 1])
  })

  it('to nobody are dropped', async () => {
    await queuePersonMail(shop.db, 'forgot_password', 'nobody@example.test')
    await send(overSmtp())
    expect(await rows()).toMatchObject([{ state: 'dropped' }])
  })

  it('are given up when no way out was found in three days, and forgotten after a week', async () => {
    await queuePersonMail(shop.db, 'forgot_password', 'late@example.test')
    await sql`update person_mails set created_at = clock_timestamp() - interval '73 hours'`.execute(shop.app.database.ownerDb)
    await purgeExpiredPersonRows(shop.db)
    expect(await rows()).toMatchObject([{ state: 'failed', reason: 'there was no way out for it in time' }])
    await purgeExpiredPersonRows(shop.db)
    expect(await rows()).toHaveLength(1)
    await sql`update person_mails set ended_at = clock_timestamp() - interval '8 days'`.execute(shop.db)
    await purgeExpiredPersonRows(shop.db)
    expect(await rows()).toEqual([])
  })
})

describe('what is over', () => {
  it('is cleared away: sessions, links and counts of tries; what is open stays', async () => {
    const browser = await shop.makeMember('stays@example.test')
    await shop.makeMember('goes@example.test')
    await browser.ask('POST', '/app/api/sign-in', { email: 'nobody@example.test', password: testPassword })
    await sql`
      update person_sessions set expires_at = clock_timestamp() - interval '1 second'
      where person_id = (select id from persons where email = 'goes@example.test')`.execute(shop.db)
    await purgeExpiredPersonRows(shop.db)
    expect(await shop.db.selectFrom('person_sessions').select('id').execute()).toHaveLength(1)
    // The last sign-in was counted three times: for the device or address with this e-mail, for the e-mail, and for the address.
    expect(await shop.db.selectFrom('rate_limits').select('key').where('key', 'like', 'person %').execute()).toHaveLength(3)
    await queuePersonMail(shop.db, 'forgot_password', 'nobody@example.test')
    await sql`update rate_limits set expire = 0`.execute(shop.db)
    await purgeExpiredPersonRows(shop.db)
    expect(await shop.db.selectFrom('rate_limits').select('key').execute()).toEqual([])
    expect((await browser.ask('GET', '/app/api/me')).status).toBe(200)
  })
})
