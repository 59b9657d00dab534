import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { makeAccount, makeKeyFor } from '../../test/make-account.ts'
import { untilTrue } from '../../test/patience.ts'
import { setUpPeople } from '../../test/set-up-people.ts'
import { allFinders, readSearchText } from '../all-finders.ts'
import { allSealedColumns } from '../all-sealed-columns.ts'
import { forgettingOfPayers } from '../money/top-ups/forget-payers.ts'
import { forgettingOfNotices } from '../notices/forget-notices.ts'
import { noticeDays } from '../notices/notices.settings.ts'
import { forgettingOfEvidence, forgettingOfOrders, type RecipientHash } from '../orders/forgetting/forget-orders.ts'
import { listOrders } from '../orders/queries/list-orders.ts'
import { firstIdAt } from '../platform/database/first-id-at.ts'
import { inTransaction } from '../platform/database/in-transaction.ts'
import { newId } from '../platform/database/new-id.ts'
import { findEverywhere } from '../platform/finding/finder.ts'
import { forgetNow } from '../platform/forgetting/forget-now.fixture.ts'
import { numberMonths, signInAddressDays } from '../platform/platform.settings.ts'
import { rotateSecrets } from '../platform/secrets/rotate-secrets.ts'
import { parseSecretsKeys } from '../platform/secrets/secrets-keys.ts'
import { writeSetting } from '../platform/settings/settings.ts'
import { products } from '../products/products.ts'
import { keysOf, stockVouchers } from '../products/results-checker/stock-vouchers.fixture.ts'
import { ageOrder } from './age-order.fixture.ts'
import { forgettingOfKeyAddresses, forgettingOfSignInAddresses } from './forget-addresses.ts'
import { formsOfRecipient, openRecipientHash } from './recipient-hash.ts'

const shop = setUpPeople()
let accountId: string
let key: string
let hash: RecipientHash
const days = { ofMonths: (months: number) => Math.ceil(months * 30.5) + 3 }

beforeAll(async () => {
  ;({ accountId } = await makeAccount(shop.db, { balancePesewas: 1_000_000 }))
  key = await makeKeyFor(shop.db, accountId, 'standard')
  hash = await openRecipientHash(shop.people)
  await stockVouchers(shop.db, await keysOf(shop.app), 50, { name: 'WASSCE' })
})

let references = 0
let numbers = 0
const freshNumber = () => `02412${String(++numbers).padStart(5, '0')}`

/** Places an order of data to a fresh number. */
async function buy(recipient = freshNumber()) {
  const body = { network: 'MTN', volume_gb: 1, recipient, reference: `forget-${++references}` }
  const { body: answer } = await shop.app.call('POST', '/data/purchase', { key, body })
  return { body, recipient, orderId: answer.data.order_id as string, price: answer.data.price as number }
}

/** Ends an order without a supplier. */
async function end(orderId: string): Promise<void> {
  await sql`delete from open_orders where order_id = ${orderId}`.execute(shop.app.database.ownerDb)
}

async function buyLongAgo(ageInDays: number) {
  const order = await buy()
  await end(order.orderId)
  return { ...order, orderId: await ageOrder(shop.app.database.ownerDb, order.orderId, ageInDays) }
}

const rowOf = (orderId: string) => shop.db.selectFrom('orders').selectAll().where('id', '=', orderId).executeTakeFirstOrThrow()
/** Forgets from the oldest order on, because each of these tests may place older orders than those before. */
async function forget(): Promise<void> {
  await sql`delete from forgetting_progress`.execute(shop.db)
  await forgetNow(shop.db, forgettingOfOrders(hash))
}
const masked = (number: string) => `${number.slice(0, 3)}*****${number.slice(-2)}`
const found = async (text: string) =>
  (await findEverywhere(shop.people, allFinders, readSearchText(text))).matches.filter(({ type }) => type === 'order')

describe('the numbers of orders', () => {
  it('are forgotten after 24 months, and nothing younger is', async () => {
    const [old, young] = [await buyLongAgo(days.ofMonths(24)), await buyLongAgo(days.ofMonths(24) - 12)]
    await forget()
    expect(await rowOf(old.orderId)).toMatchObject({
      recipient: masked(old.recipient),
      recipient_hash: expect.any(Buffer),
      reference: old.body.reference,
    })
    expect(await rowOf(young.orderId)).toMatchObject({ recipient: young.recipient, recipient_hash: null })
  })

  it('are found by the whole number as before: by makola find, the lists of the desk, a reseller’s search', async () => {
    const order = await buyLongAgo(days.ofMonths(25))
    const another = await buyLongAgo(1)
    const spaced = `+233 ${order.recipient.slice(1)}`
    const listed = async (text: string) => {
      const forms = await formsOfRecipient({ db: shop.db, openSecrets: () => Promise.resolve(shop.people.secretsKeys) }, text)
      return (await listOrders(shop.db, products, { ...forms, limit: 10 })).orders.map(({ id }) => id)
    }
    for (const isForgotten of [false, true]) {
      if (isForgotten) await forget()
      expect(await found(spaced)).toMatchObject([{ id: order.orderId }])
      expect(await listed(spaced)).toEqual([order.orderId])
      expect(await listed(another.recipient)).toEqual([another.orderId])
    }
    expect((await found(spaced))[0]?.text).toContain(masked(order.recipient))
    expect(await found('0249999999')).toEqual([])
  })

  it('stay findable when the secrets key changes', async () => {
    const order = await buyLongAgo(days.ofMonths(25))
    await forget()
    const { secretsKeys } = shop.people
    const next = parseSecretsKeys(Buffer.alloc(32, 7).toString('base64'), 'SECRETS_KEY')
    const both = { current: next.current, byId: new Map([...next.byId, ...secretsKeys.byId]) }
    await rotateSecrets(shop.db, both, allSealedColumns, { actor: 'test' })
    expect(
      (await findEverywhere({ db: shop.db, secretsKeys: next }, allFinders, readSearchText(order.recipient))).matches,
    ).toMatchObject([{ id: order.orderId }])
    await rotateSecrets(shop.db, { current: secretsKeys.current, byId: both.byId }, allSealedColumns, { actor: 'test' })
  })

  it('leave a repeat its answer: the same status and price, the number masked; another body is a conflict', async () => {
    const order = await buyLongAgo(days.ofMonths(25))
    const buyAgain = (body: object) => shop.app.call('POST', '/data/purchase', { key, body })
    const before = await buyAgain(order.body)
    await forget()
    const after = await buyAgain(order.body)
    expect(after.status).toBe(200)
    expect(after.headers['idempotent-replayed']).toBe('true')
    expect(after.body.data).toEqual({ ...before.body.data, recipient: masked(order.recipient) })
    expect(before.body.data.recipient).toBe(order.recipient)
    expect((await buyAgain({ ...order.body, recipient: freshNumber() })).status).toBe(409)
    expect((await buyAgain({ ...order.body, recipient: masked(order.recipient) })).status).toBe(400)
  })

  it('leave no hash that numbers could be tried against', async () => {
    const order = await buyLongAgo(days.ofMonths(25))
    const { createHash } = await import('node:crypto')
    const { network, volume_gb: volume, recipient, reference } = order.body
    const plain = createHash('sha256')
      .update(JSON.stringify(['data', network, volume, recipient, reference]))
      .digest('hex')
      .slice(0, 32)
    const fingerprint = async () => {
      const row = await shop.db
        .selectFrom('order_references')
        .select('fingerprint')
        .where('reference', '=', reference)
        .executeTakeFirstOrThrow()
      return row.fingerprint.toString('hex')
    }
    expect(await fingerprint()).toBe(plain)
    await forget()
    expect(await fingerprint()).toBe(hash.keyFingerprint(plain))
    expect(await fingerprint()).not.toBe(plain)
  })

  it('of an order that is still open are forgotten after its end', async () => {
    const bought = await buy()
    const orderId = await ageOrder(shop.app.database.ownerDb, bought.orderId, days.ofMonths(25))
    await forget()
    expect((await rowOf(orderId)).recipient).toBe(bought.recipient)
    await end(orderId)
    await forgetNow(shop.db, forgettingOfOrders(hash))
    expect((await rowOf(orderId)).recipient).toBe(masked(bought.recipient))
  })

  it('are forgotten with the numbers and names in the details, and with suppliers’ evidence and reports', async () => {
    const order = await buyLongAgo(days.ofMonths(25))
    const { ownerDb } = shop.app.database
    const details = {
      biller: 'ecg',
      phone: '0241234567',
      accountName: 'AMA MENSAH',
      recipientEmail: 'ama@example.test',
      quantity: 2,
    }
    await sql`update orders set details = ${JSON.stringify(details)} where id = ${order.orderId}`.execute(ownerDb)
    await sql`insert into attempts (order_id, attempt_no, supplier, outgoing_reference, send_before)
      values (${order.orderId}, 1, 'datamart', ${newId()}, now())`.execute(shop.db)
    await sql`insert into attempt_answers (order_id, attempt_no, source, answer, evidence, account_name)
      values (${order.orderId}, 1, 'send', 'delivered', ${order.recipient}, 'AMA MENSAH')`.execute(shop.db)
    await sql`insert into order_reports (order_id, account_id, reason, status_then, reported_by)
      values (${order.orderId}, ${accountId}, 'Ama did not get it', 'pending', 'x')`.execute(shop.db)
    await forget()
    expect((await rowOf(order.orderId)).details).toEqual({
      ...details,
      phone: '024*****67',
      accountName: '*****AH',
      recipientEmail: '*****st',
    })
    const { rows } = await sql`select attempt_answers.answer, convert_from(evidence, 'UTF8') as evidence, account_name, reason
      from attempt_answers join order_reports using (order_id) where order_id = ${order.orderId}`.execute(shop.db)
    expect(rows).toEqual([{ answer: 'delivered', evidence: 'forgotten', account_name: null, reason: '' }])
    await sql`delete from order_reports where order_id = ${order.orderId}`.execute(ownerDb)
  })

  it('may be kept for a shorter time by the setting, but never less than six months', async () => {
    const order = await buyLongAgo(days.ofMonths(7))
    await forget()
    expect((await rowOf(order.orderId)).recipient).toBe(order.recipient)
    await writeSetting(shop.db, numberMonths, 6, 'test')
    await forget()
    expect((await rowOf(order.orderId)).recipient).toBe(masked(order.recipient))
    await expect(writeSetting(shop.db, numberMonths, 5, 'test')).rejects.toThrow('from 6 to 120')
    const young = await buyLongAgo(days.ofMonths(5))
    await sql`update settings set value = '0' where name = 'number_months'`.execute(shop.db)
    const attempt = sql`select forget_orders(array[${young.orderId}::uuid], array['\\x00'::bytea], array['\\x00'::bytea], null)`
    expect((await attempt.execute(shop.db)).rows).toEqual([])
    expect((await rowOf(young.orderId)).recipient).toBe(young.recipient)
    await sql`delete from settings where name = 'number_months'`.execute(shop.db)
  })

  it('cannot be changed by the application’s login, forgotten or not', async () => {
    const order = await buyLongAgo(1)
    for (const change of [sql`recipient = '0240000000'`, sql`details = '{}'`, sql`recipient_hash = '\\x00'`]) {
      await expect(sql`update orders set ${change} where id = ${order.orderId}`.execute(shop.db)).rejects.toThrow(
        'permission denied',
      )
    }
    await expect(sql`update attempt_answers set evidence = ''`.execute(shop.db)).rejects.toThrow('permission denied')
    await expect(sql`update sms_messages set recipient = ''`.execute(shop.db)).rejects.toThrow('permission denied')
    await expect(sql`update attempt_answers set answer = 'x'`.execute(shop.app.database.ownerDb)).rejects.toThrow('never changed')
  })

  it('are forgotten step by step: a step that is broken off is done again, and two workers do each once', async () => {
    const orders = []
    for (let n = 0; n < 8; n++) orders.push(await buyLongAgo(days.ofMonths(26)))
    const forgetting = forgettingOfOrders(hash)
    let steps = 0
    const failing = {
      ...forgetting,
      step: async (...asked: Parameters<typeof forgetting.step>) => {
        const taken = await forgetting.step(...asked)
        steps += 1
        if (steps === 1) throw new Error('killed')
        return taken
      },
    }
    await sql`delete from forgetting_progress`.execute(shop.db)
    await expect(forgetNow(shop.db, failing)).rejects.toThrow('killed')
    for (const { orderId, recipient } of orders) expect((await rowOf(orderId)).recipient).toBe(recipient)
    await Promise.all([forgetNow(shop.db, failing), forgetNow(shop.db, failing), forgetNow(shop.db, failing)])
    await forgetNow(shop.db, failing)
    for (const { orderId, recipient } of orders) expect((await rowOf(orderId)).recipient).toBe(masked(recipient))
  })
})

describe('the evidence of suppliers', () => {
  it('of an order of less than 30 days is not forgotten, whatever the settings say', async () => {
    const { orderId } = await buyLongAgo(28)
    await sql`insert into settings (name, value, updated_by) values ('evidence_days', '0', 'test')`.execute(shop.db)
    const { rows } = await sql`select forget_evidence(array[${orderId}::uuid]) as count`.execute(shop.db)
    expect(rows).toEqual([{ count: 0 }])
    // Another kind is forgotten all the same.
    const old = await buyLongAgo(days.ofMonths(25))
    await sql`delete from forgetting_progress`.execute(shop.db)
    await expect(forgetNow(shop.db, forgettingOfEvidence, forgettingOfOrders(hash))).rejects.toThrow('evidence_days must be')
    expect((await rowOf(old.orderId)).recipient).toBe(masked(old.recipient))
    await sql`delete from settings where name = 'evidence_days'`.execute(shop.db)
  })

  it('is forgotten after 180 days, and what it meant stays', async () => {
    const [old, young] = [await buyLongAgo(183), await buyLongAgo(178)]
    for (const { orderId } of [old, young]) {
      await sql`insert into attempts (order_id, attempt_no, supplier, outgoing_reference, send_before)
        values (${orderId}, 1, 'datamart', ${newId()}, now())`.execute(shop.db)
      await sql`insert into attempt_answers (order_id, attempt_no, source, answer, evidence, supplier_reference)
        values (${orderId}, 1, 'send', 'delivered', 'to Ama', 'DM-1')`.execute(shop.db)
    }
    await forgetNow(shop.db, forgettingOfEvidence)
    const answersOf = async (orderId: string) =>
      (
        await sql`select answer, convert_from(evidence, 'UTF8') as evidence, supplier_reference from attempt_answers where order_id = ${orderId}`.execute(
          shop.db,
        )
      ).rows
    const answer = { answer: 'delivered', supplier_reference: 'DM-1' }
    expect(await answersOf(old.orderId)).toEqual([{ ...answer, evidence: 'forgotten' }])
    expect(await answersOf(young.orderId)).toEqual([{ ...answer, evidence: 'to Ama' }])
  })
})

const idOfAge = (age: number) => `${firstIdAt(Date.now() - age * 24 * 3_600_000).slice(0, 14)}${newId().slice(14)}`

describe('the words of notices', () => {
  it('are forgotten after 90 days, or after the time of the setting; the notice stays', async () => {
    const write = async (age: number) => {
      const id = idOfAge(age)
      await sql`insert into reseller_notices (id, account_id, kind, about, channel, subject, body, state, sent_to, ended_at)
        values (${id}, ${accountId}, 'order_refunded', ${id}, 'email', 'Refunded', 'To Ama', 'sent', 'ama@example.test', now())`.execute(
        shop.db,
      )
      return id
    }
    const bodyOf = async (id: string) =>
      (await sql<{ body: string; sent_to: string }>`select body, sent_to from reseller_notices where id = ${id}`.execute(shop.db))
        .rows[0]
    const [old, young] = [await write(92), await write(80)]
    await forgetNow(shop.db, forgettingOfNotices)
    expect(await bodyOf(old)).toEqual({ body: 'forgotten', sent_to: null })
    expect(await bodyOf(young)).toEqual({ body: 'To Ama', sent_to: 'ama@example.test' })
    await writeSetting(shop.db, noticeDays, 60, 'test')
    await forgetNow(shop.db, forgettingOfNotices)
    expect(await bodyOf(young)).toEqual({ body: 'forgotten', sent_to: null })
  })
})

describe('the payers of top-ups', () => {
  it('are forgotten after 24 months, with the picture; the number of a transfer stays', async () => {
    const write = async (age: number, isEnded = true) => {
      const id = idOfAge(age)
      await sql`insert into top_ups (id, account_id, way, reference, page_reference, amount, fee, state, made_by, transfer_reference,
          transfer_key, note, payer_phone, reason, ended_at)
        values (${id}, ${accountId}, 'transfer', ${id}, ${id}, 100, 0, ${isEnded ? 'declined' : 'waiting'}, 'ama', ${id}, ${id}, 'from Ama',
          '0241234567', 'r', ${isEnded ? new Date() : null})`.execute(shop.db)
      await sql`insert into top_up_pictures (top_up_id, media_type, bytes) values (${id}, 'image/png', 'x')`.execute(shop.db)
      return id
    }
    const read = async (id: string) =>
      (
        await sql`select payer_phone, note, transfer_reference, exists (select from top_up_pictures where top_up_id = id) as has_picture
          from top_ups where id = ${id}`.execute(shop.db)
      ).rows[0]
    const [old, young, open] = [
      await write(days.ofMonths(24)),
      await write(days.ofMonths(23)),
      await write(days.ofMonths(25), false),
    ]
    const asked = await write(days.ofMonths(25))
    const { forgetting } = await inTransaction(shop.db, async (tx) => {
      // A callback comes while the first step runs.
      await sql`update top_ups set next_ask_at = now() where id = ${asked}`.execute(tx)
      const first = forgetNow(shop.db, forgettingOfPayers)
      const isWaiting = async () => {
        const { rows } = await sql`
          select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(shop.db)
        return rows.length > 0
      }
      await untilTrue(isWaiting, () => 'the step does not wait for the callback')
      return { forgetting: first }
    })
    await forgetting
    expect(await read(old)).toEqual({ payer_phone: '024*****67', note: null, transfer_reference: old, has_picture: false })
    for (const id of [young, open, asked]) {
      expect(await read(id)).toEqual({ payer_phone: '0241234567', note: 'from Ama', transfer_reference: id, has_picture: true })
    }
    await sql`update top_ups set state = 'declined', ended_at = now() where id = ${open}`.execute(shop.db)
    await sql`update top_ups set next_ask_at = null where id = ${asked}`.execute(shop.db)
    await forgetNow(shop.db, forgettingOfPayers)
    for (const id of [open, asked]) {
      expect(await read(id)).toEqual({ payer_phone: '024*****67', note: null, transfer_reference: id, has_picture: false })
    }
    await expect(sql`update top_ups set payer_phone = '0200000000' where id = ${young}`.execute(shop.db)).rejects.toThrow(
      'never changes',
    )
  })
})

describe('the addresses of sign-ins and keys', () => {
  it('are forgotten after 90 days, or after the time of the setting; session and key go on', async () => {
    const browser = await shop.makeMember('addresses@example.test')
    const age = async (count: number) => {
      await sql`update person_sessions set ip_address = '203.0.113.7', user_agent = 'x', created_at = now() - make_interval(days => ${count})`.execute(
        shop.db,
      )
      await sql`update api_keys set last_used_ip = '203.0.113.7', last_used_at = now() - make_interval(days => ${count})`.execute(
        shop.db,
      )
      await forgetNow(shop.db, forgettingOfSignInAddresses, forgettingOfKeyAddresses)
      const { rows } = await sql<{ known: boolean }>`
        select ip_address is not null or user_agent is not null as known from person_sessions
        union select last_used_ip is not null from api_keys`.execute(shop.db)
      return rows.map(({ known }) => known)
    }
    expect(await age(89)).toEqual([true])
    expect(await age(91)).toEqual([false])
    await writeSetting(shop.db, signInAddressDays, 5, 'test')
    expect(await age(6)).toEqual([false])
    expect((await browser.ask('GET', '/app/api/me')).status).toBe(200)
  })
})
