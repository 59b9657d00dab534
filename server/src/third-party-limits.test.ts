import { relative } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { createSignedInStaff } from '../test/create-signed-in-staff.ts'
import type { TestBrowser } from '../test/open-browser.ts'
import { files, source } from '../test/reading/read-sources.ts'
import { setUpPeople, testPassword } from '../test/set-up-people.ts'
import { type RunningSimulator, startSimulator } from '../test/start-simulator.ts'
import { signInTexts } from './people/phone/phone.settings.ts'
import { findFreePort } from './platform/find-free-port.ts'
import { type ThirdPartyLimit, thirdPartyLimits } from './platform/http/limits/third-party-limits.ts'
import { writeSetting } from './platform/settings/settings.ts'

let simulator: RunningSimulator
const shop = setUpPeople(async () => {
  const port = await findFreePort('127.0.0.1')
  simulator = await startSimulator({ callbackBaseUrl: `https://localhost:${port}` })
  return { port, dataDir: simulator.dataDir, simulatorUrl: simulator.url }
})
beforeEach(async () => {
  await shop.db.deleteFrom('rate_limits').execute()
})
afterAll(() => simulator.stop())

const members = new Map<string, Promise<TestBrowser>>()
function member(name: string): Promise<TestBrowser> {
  const known = members.get(name) ?? shop.makeMember(`${name}@example.test`)
  members.set(name, known)
  return known
}

let broughtOwner: Promise<TestBrowser> | undefined
const owner = () => (broughtOwner ??= createSignedInStaff(shop, 'owner@example.test', 'owner'))

let made = 0

/** Begins a top-up that its payer is asked for on the phone, and ends it without a payment: declined ones count too. */
async function promptPayer(name: string, phone: string) {
  const browser = await member(name)
  const { body: quote } = await browser.ask('GET', '/app/api/top-ups/quote?amount=1')
  made += 1
  const reference = `third-party-${made}`
  const answer = await browser.ask('POST', '/app/api/top-ups', {
    reference,
    way: 'mtn-momo',
    amount: 1,
    fee: quote.data.fee,
    phone,
  })
  await sql`update top_ups set state = 'failed', reason = 'declined', next_ask_at = null, ended_at = clock_timestamp()
    where state = 'pending'`.execute(shop.db)
  return answer
}

const mailTo = async (no: number, email: string) => {
  const asks = [
    async () => (await shop.browser()).ask('POST', '/app/api/sign-up', { name: 'Esi', email, password: testPassword }),
    async () => (await shop.browser()).ask('POST', '/app/api/forgot-password', { email }),
    async () => (await member('ama')).ask('POST', '/app/api/team/invitations', { email, role: 'buyer' }),
    async () => (await member('kofi')).ask('POST', '/app/api/team/invitations', { email, role: 'buyer' }),
  ]
  const ask = asks[no % asks.length]
  if (!ask) throw new Error('there is nothing to ask')
  return ask()
}

/** Asks for the code that lets somebody choose a new password, as the sign-in does. */
async function textTo(phone: string, email: string) {
  await writeSetting(shop.db, signInTexts, true, 'test')
  return (await shop.browser()).ask('POST', '/app/api/forgot-password/phone', { email, phone })
}

type Ask = (no: number) => Promise<{ status: number; headers: object }>

/** How each limit is met: from several accounts to one recipient, and from one account to many recipients. */
const asks: Record<ThirdPartyLimit, { recipient?: Ask; account?: Ask }> = {
  paymentPrompt: {
    recipient: (no) => promptPayer(no % 2 === 0 ? 'ama' : 'kofi', '0241230001'),
    account: (no) => promptPayer('ama', `02412${String(10_000 + no)}`),
  },
  mail: { recipient: (no) => mailTo(no, 'stranger@example.test') },
  text: {
    recipient: async (no) => textTo('0241230009', `somebody${no}@example.test`),
    account: async (no) => {
      await shop.db.updateTable('person_sessions').set({ confirmed_at: new Date() }).execute()
      return (await member('ama')).ask('POST', '/app/api/phone', { phone: `02412${String(20_000 + no)}` })
    },
  },
  invitation: {
    account: async (no) =>
      (await member('ama')).ask('POST', '/app/api/team/invitations', { email: `guest${no}@example.test`, role: 'viewer' }),
  },
  alertTest: { recipient: async () => (await owner()).ask('POST', '/desk/api/alarms/test', {}) },
}

/** Counts the payment requests, mails and alert tests that were sent. */
async function countReached(): Promise<number> {
  const { counts } = (await (await fetch(`${simulator.url}/requests`)).json()) as { counts: Record<string, number> }
  const { rows } = await sql<{ count: number }>`select (select count(*) from person_mails)
    + (select count(*) from operator_log where action like 'alert%') as count`.execute(shop.db)
  return (counts['POST /mtn-momo/collection/v1_0/requesttopay'] ?? 0) + (rows[0]?.count ?? 0)
}

/** Leaves only the counts of one window: the tries of this test come faster than a person's. */
const keepWindow = (hours: number, who: string) =>
  sql`delete from rate_limits where key not like ${`third % ${hours} ${who} %`}`.execute(shop.db)

const windows = Object.entries(thirdPartyLimits).flatMap(([name, { windows: ofLimit }]) =>
  ofLimit.flatMap((window: { hours: number; perRecipient?: number; perAccount?: number }) =>
    (['recipient', 'account'] as const).flatMap((who) => {
      const most = who === 'recipient' ? window.perRecipient : window.perAccount
      return most === undefined ? [] : [{ name: name as ThirdPartyLimit, hours: window.hours, who, most }]
    }),
  ),
)

describe('what reaches somebody who did not ask for it', () => {
  it.each(windows)(
    '429: $name, at most $most within $hours h for one $who, and then nobody is reached',
    async ({ name, hours, who, most }) => {
      const ask = asks[name][who]
      if (!ask) throw new Error(`nothing meets the limit of ${name} for one ${who}`)
      // The first tries are made one by one, the rest of a long window is counted.
      const tries = Math.min(most, 10)
      for (let no = 0; no < tries; no += 1) {
        expect((await ask(no)).status).toBe(200)
        await keepWindow(hours, who)
      }
      await sql`update rate_limits set points = points + ${most - tries}::integer
      where key like ${`third ${name} ${hours} ${who} %`}`.execute(shop.db)
      const before = await countReached()
      expect(before).toBeGreaterThan(0)
      const refused = await ask(tries)
      expect(refused).toMatchObject({ status: 429, headers: { 'x-error-reason': 'third_party_limit' } })
      expect(Number(Reflect.get(refused.headers, 'retry-after'))).toBeGreaterThan(0)
      expect(await countReached()).toBe(before)
      // When the window is over, it may be done again.
      await sql`update rate_limits set expire = 0`.execute(shop.db)
      expect((await ask(tries + 1)).status).toBe(200)
    },
  )

  it('is sent only from the places that count it', () => {
    const callers = (pattern: RegExp) =>
      files.filter(({ text }) => pattern.test(text)).map(({ path }) => relative(source, path).replaceAll('\\', '/'))
    expect(callers(/insert into person_mails|insertInto\('person_mails'/)).toEqual(['people/mails/queue-person-mail.ts'])
    expect(callers(/gateways\.open\(/)).toEqual([
      // Asks the owner's phone at most so often a day as the owner chose, and never twice at once.
      'accounts/top-ups/request-floor-top-ups.ts',
      'money/top-ups/top-ups.member.routes.ts',
    ])
    // The command line has no limit: the operator tests as often as needed.
    expect(callers(/await testAlerts\(|=> testAlerts\(/).toSorted()).toEqual([
      'commands/alert-actions.ts',
      'notices/at-desk/alarms.operations.ts',
    ])
  })
})
