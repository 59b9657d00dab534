import { sql } from 'kysely'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { makeAccount } from '../../test/make-account.ts'
import { setUpCommandLine } from '../../test/set-up-command-line.ts'
import { allCommands } from '../all-commands.ts'
import { placeTestOrders } from '../orders/intake/place-test-orders.fixture.ts'
import { newId } from '../platform/database/new-id.ts'
import { parseSecretsKeys } from '../platform/secrets/secrets-keys.ts'
import { sealIdentity } from '../products/afa/seal-identity.ts'
import { carryOutErasures, erasureTimer } from './erasures.ts'
import { personalSources } from './personal-sources.ts'
import { openRecipientHash } from './recipient-hash.ts'

const secret = Buffer.alloc(32, 1).toString('base64')
const secretsKeys = parseSecretsKeys(secret, 'SECRETS_KEY')
const desk = setUpCommandLine(allCommands, { SECRETS_KEY: secret })
const { run, json } = desk
const number = '0241234567'
const international = '233241234567'
const another = '0209999999'

let accountId: string
/**
 * Orders with the number: one that has ended, one that is open, a bill of which it is the phone, an AFA registration. `others`:
 * an order with another number.
 */
let orders: Record<'ended' | 'open' | 'bill' | 'afa' | 'others', string>

async function place(recipient: string, product = 'data', details: Record<string, unknown> = {}): Promise<string> {
  const [order] = await placeTestOrders(desk.db, accountId, [recipient], { product, details })
  return order?.orderId ?? ''
}

/** Writes a row with the number into every searched table, and beside each the same row with another number. */
async function fillTables(): Promise<void> {
  const { db } = desk
  orders = {
    ended: await place(number),
    open: await place(number),
    bill: await place('P12345678', 'utilities', { biller: 'ecg', phone: number, accountName: 'KOFI' }),
    afa: await place(number, 'afa'),
    others: await place(another),
  }
  const ended = [orders.ended, orders.bill, orders.afa, orders.others]
  await sql`update orders set status = 'completed' where id = any(${ended}::uuid[])`.execute(db)
  await sql`delete from open_orders where order_id = any(${ended}::uuid[])`.execute(db)
  const identity = sealIdentity(secretsKeys, orders.afa, { full_name: 'Ama Mensah', phone: number } as never)
  await sql`insert into afa_registrations (order_id, identity) values (${orders.afa}, ${identity})`.execute(db)
  for (const [orderId, held] of [
    [orders.ended, number],
    [orders.others, another],
  ] as const) {
    const id = newId()
    const abroad = `233${held.slice(1)}`
    await sql`insert into attempts (order_id, attempt_no, supplier, outgoing_reference, send_before)
      values (${orderId}, 1, 'datamart', ${newId()}, now())`.execute(db)
    await sql`insert into attempt_answers (order_id, attempt_no, source, answer, evidence) values (${orderId}, 1, 'send', 'delivered', ${held})`.execute(
      db,
    )
    await sql`insert into contradictions (id, order_id, status, evidence) values (${newId()}, ${orderId}, 'failed', ${held})`.execute(
      db,
    )
    await sql`insert into order_reports (order_id, account_id, reason, status_then, reported_by)
      values (${orderId}, ${accountId}, ${`call ${held}`}, 'completed', 'ama')`.execute(db)
    await sql`insert into sms_campaigns (id, account_id, status, source, sender, message, encoding, segment_rule, segments, recipients,
        left_out, names, segments_of_each, recipients_count, credits_charged, open_count, is_bulk, expanded_at, settled_at)
      values (${id}, ${accountId}, 'completed', 'api', 'AMA', ${`call ${held}`}, 'gsm7', 'standard', 1, array[${abroad}, '233200000001'], array[${abroad}],
        array['Ama', ${`Kofi, call ${held}`}], '{1, 1}', 2, 2, 0, false, now(), now())`.execute(db)
    await sql`insert into sms_messages (campaign_id, n, recipient, network, is_bulk, status, submit, supplier)
      values (${id}, 1, ${abroad}, 'MTN', false, 'delivered', 'answered', 's'), (${id}, 2, '233200000001', 'MTN', false, 'delivered', 'answered', 's')`.execute(
      db,
    )
    await sql`insert into sms_lists (id, account_id, name) values (${id}, ${accountId}, ${`list ${id}`})`.execute(db)
    await sql`insert into sms_contacts (list_id, recipient, name) values (${id}, ${abroad}, 'Ama')`.execute(db)
    await sql`insert into customers (id, account_id, name, note) values (${id}, ${accountId}, 'Ama', ${`call ${held}`})`.execute(
      db,
    )
    await sql`insert into customer_numbers (account_id, number, customer_id, place)
      values (${accountId}, ${held}, ${id}, 0)`.execute(db)
    await sql`insert into sms_drafts (id, account_id, message, recipients, list_ids, name_fallback, updated_by)
      values (${id}, ${accountId}, 'hello', '', '{}', ${held}, 'x')`.execute(db)
    await sql`insert into registrations (number, server, state) values (${held}, 1, 'registered')`.execute(db)
    await sql`insert into looked_up_accounts (account_id, biller, account_number, account_name) values (${accountId}, 'dstv', ${held}, 'AMA')`.execute(
      db,
    )
    await sql`insert into ported_numbers (number, network) values (${held}, 'MTN')`.execute(db)
    await sql`insert into top_ups (id, account_id, way, reference, page_reference, amount, fee, state, made_by, payer_phone, reason, ended_at)
      values (${id}, ${accountId}, 'mtn-momo', ${id}, ${id}, 100, 0, 'failed', 'ama', ${abroad}, 'r', now())`.execute(db)
    const asking = held === number ? accountId : (await makeAccount(db)).accountId
    await sql`insert into balance_floors (account_id, floor, amount, phone, most_per_day, chosen_by)
      values (${asking}, 100, 100, ${held}, 1, 'ama')`.execute(db)
    await sql`insert into reseller_notices (id, account_id, kind, about, channel, subject, body, state, ended_at)
      values (${id}, ${accountId}, 'order_refunded', ${id}, 'email', 'Refunded', ${`To ${held}`}, 'sent', now())`.execute(db)
    await sql`insert into problems (id, account_id, text, reported_by, state, answer, ended_by, ended_at)
      values (${id}, ${accountId}, ${`${held} got nothing`}, 'ama', 'answered', ${`${held} has it`}, 'kofi', now())`.execute(db)
    await sql`insert into api_keys (id, account_id, type, digest, prefix, hint, status, revoked_at)
      values (${id}, ${accountId}, 'standard', sha256(${held}::bytea), 'makola_live_', 'abcd', 'revoked', now())`.execute(db)
    await sql`insert into request_log (id, key_id, called_at, method, path, status, milliseconds, request_id, request)
      values (${id}, ${id}, now(), 'POST', '/data/purchase', 200, 1, ${id}, ${JSON.stringify({ body: { recipient: held } })})`.execute(
      db,
    )
    await sql`insert into approvals (id, kind, key, subject, request, reason, proposed_by, proposed_os_user, state, decided_by, decided_at)
      values (${id}, 'order settle', ${id}, ${id}, '{}', ${`${held} called`}, 'ama', 'ama', 'refused', 'kofi', now())`.execute(db)
    await sql`insert into operator_log (actor, action, subject) values ('ama', 'ported set', ${held})`.execute(db)
  }
  await sql`insert into persons (id, name, email) values (${accountId}, 'Ama', 'ama@phones.test')`.execute(db)
  await sql`insert into person_phones (person_id, phone, confirmed_at) values (${accountId}, ${number}, now())`.execute(db)
  await sql`insert into account_notice_settings (account_id, phone) values (${accountId}, ${international})`.execute(db)
}

beforeAll(async () => {
  ;({ accountId } = await makeAccount(desk.db, { balancePesewas: 100_000 }))
  await desk.database.ownerDb.insertInto('installation').values({ mode: 'live' }).execute()
  await fillTables()
})

type Exported = { masked: string; data: { table: string; title: string; rows: Record<string, unknown>[] }[] }
const exported = async (typed: string) => (await json('personal', 'export', typed, '--reason', 'asked')) as unknown as Exported
const tables = ({ data }: Exported) => [...new Set(data.map(({ table }) => table))].toSorted()

/** Finds every column of the database that holds this text. */
async function columnsWith(text: string): Promise<string[]> {
  const { rows: columns } = await sql<{ table: string; column: string; type: string }>`
    select table_name as "table", column_name as "column", data_type as type from information_schema.columns
    where table_schema = 'public' and (data_type in ('text', 'json', 'jsonb', 'bytea') or data_type = 'ARRAY')`.execute(desk.db)
  const found: string[] = []
  for (const { table, column, type } of columns) {
    const held = type === 'bytea' ? sql`encode(${sql.ref(column)}, 'escape')` : sql`${sql.ref(column)}::text`
    const { rows } = await sql`select from ${sql.table(table)} where strpos(${held}, ${text}) > 0 limit 1`.execute(
      desk.database.ownerDb,
    )
    if (rows.length > 0) found.push(`${table}.${column}`)
  }
  return found.toSorted()
}

const as = (user: string) => vi.stubEnv('SUDO_USER', user)
const erase = (by: string, typed = number) =>
  run('personal', 'erase', typed, '--reason', 'letter of 3 May', '--by', by, '--yes', '--json')

describe('makola personal export', () => {
  it('finds a number in every table of the list, in any way of writing it, and nobody else’s rows', async () => {
    const hash = await openRecipientHash({ db: desk.db, secretsKeys })
    const listed = personalSources(hash).map(({ table }) => table)
    const found = await exported('+233 24 123-4567')
    // The table `accounts` is searched by e-mail addresses only.
    expect(tables(found)).toEqual([...new Set(listed)].filter((table) => table !== 'accounts').toSorted())
    expect(JSON.stringify(found.data)).not.toContain(another.slice(1))
    const counts = Object.fromEntries(found.data.map(({ title, rows }) => [title, rows.length]))
    expect(counts).toMatchObject({ Orders: 4, 'SMS to the number': 1, 'Contacts in resellers’ lists': 1 })
    expect(found.data.find(({ table }) => table === 'afa_registrations')?.rows).toMatchObject([{ full_name: 'Ama Mensah' }])
    expect(found.data.find(({ table }) => table === 'attempt_answers')?.rows).toMatchObject([{ evidence: number }])
    expect(found.masked).toBe('024*****67')
  })

  it('is a text for people, and finds nothing where nothing is', async () => {
    const { stdout } = await run('personal', 'export', number, '--reason', 'asked')
    expect(stdout).toContain(`What is kept about ${number}`)
    expect(stdout).toContain('Orders (4)')
    expect((await exported('0247777777')).data).toEqual([])
    const { email } = await desk.db.selectFrom('accounts').select('email').where('id', '=', accountId).executeTakeFirstOrThrow()
    expect(tables(await exported(email.toUpperCase()))).toContain('accounts')
  })

  it('refuses a text of less than four characters between blanks, which would be a part of everybody’s data', async () => {
    for (const typed of ['    ', '   0', ' 024 ']) {
      const { exitCode, stderr } = await run('personal', 'export', typed, '--reason', 'asked')
      expect({ typed, exitCode }).toEqual({ typed, exitCode: 2 })
      expect(stderr).toContain('number')
    }
  })

  it('is in the log with the reason and the masked number', async () => {
    const { entries } = (await json('log', '--limit', '3')) as { entries: { action: string; subject: string; details: object }[] }
    expect(entries[0]).toMatchObject({ action: 'personal export', details: { reason: 'asked' } })
    const lines = await sql`select subject from operator_log where action = 'personal export' and subject = '024*****67'`.execute(
      desk.db,
    )
    expect(lines.rows).toHaveLength(2)
  })
})

describe('makola personal erase', () => {
  let before: string[]

  it('is proposed by one person, and changes nothing', async () => {
    before = await columnsWith('241234567')
    as('ama')
    const { stdout, exitCode } = await erase('Ama')
    expect(exitCode).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({
      status: 'pending',
      erasure: { state: 'waiting', masked: '024*****67', erased: [] },
    })
    await carryOutErasures({ db: desk.db, secretsKeys })
    expect(await columnsWith('241234567')).toEqual(before)
    expect((await run('personal', 'list')).stdout).toContain('024*****67  waiting')
  })

  it('is refused to one person alone, under whatever name', async () => {
    expect(JSON.parse((await erase('Ama')).stdout)).toMatchObject({ status: 'pending' })
    expect((await erase('Kofi')).exitCode).toBe(1)
    expect(await columnsWith('241234567')).toEqual(before)
    // Without two people the database refuses it, too.
    const [{ id } = { id: '' }] = (await sql<{ id: string }>`select approval_id as id from erasures`.execute(desk.db)).rows
    const forget = sql`select forget_orders(array[${orders.ended}::uuid], array['\\x00'::bytea], array['\\x00'::bytea], ${id})`
    expect((await forget.execute(desk.db)).rows).toEqual([])
  })

  it('goes on after it was killed half-way', async () => {
    as('kofi')
    const { approvals } = (await json('approvals', 'list')) as { approvals: { approval_id: string }[] }
    await json('approvals', 'confirm', approvals[0]?.approval_id ?? '', '--by', 'Kofi')
    // The erasure fails when it comes to the table of notices.
    await sql`alter table reseller_notices rename to gone`.execute(desk.database.ownerDb)
    await expect(carryOutErasures({ db: desk.db, secretsKeys })).rejects.toThrow('reseller_notices')
    await sql`alter table gone rename to reseller_notices`.execute(desk.database.ownerDb)
    const { rows } = await sql`select done_at, number is not null as has_number from erasures`.execute(desk.db)
    expect(rows).toEqual([{ done_at: null, has_number: true }])
    // Two workers carry it out at the same time.
    await Promise.all([1, 2].map(() => carryOutErasures({ db: desk.db, secretsKeys })))
    expect((await sql`select from erasures where done_at is not null and number is null`.execute(desk.db)).rows).toHaveLength(1)
    expect((await sql`select from operator_log where action = 'personal erased'`.execute(desk.db)).rows).toHaveLength(1)
  })

  it('has erased everything but what is named as kept, with the reason', async () => {
    expect(await columnsWith('241234567')).toEqual([
      'account_notice_settings.phone',
      'approvals.reason',
      'operator_log.subject',
      'orders.recipient',
      'person_phones.phone',
      'ported_numbers.number',
    ])
    expect((await sql`select id from orders where recipient = ${number}`.execute(desk.db)).rows).toEqual([{ id: orders.open }])
    expect((await sql`select from sms_campaigns where names = array[null, null]`.execute(desk.db)).rows).toHaveLength(1)
    const { erasures } = (await json('personal', 'list')) as {
      erasures: {
        state: string
        erased: { title: string; count: number }[]
        kept: { title: string; rows: string[]; because: string }[]
      }[]
    }
    const erased = Object.fromEntries(erasures[0]?.erased.map(({ title, count }) => [title, count]) ?? [])
    expect(erased).toMatchObject({
      Orders: 3,
      'SMS to the number': 1,
      'Identity data of AFA registrations': 1,
      'Notices to resellers': 1,
    })
    const kept = erasures[0]?.kept.find(({ title }) => title === 'Orders')
    expect(kept).toMatchObject({ rows: [`test-${orders.open}`], because: expect.stringContaining('open') })
    expect(erasures[0]?.state).toBe('done')
  })

  it('has left everybody else’s data alone', async () => {
    expect(await columnsWith(another.slice(1))).toEqual(
      expect.arrayContaining(before.filter((column) => !/identity|details|phone/.test(column))),
    )
    expect((await sql`select from sms_messages where recipient = '233200000001'`.execute(desk.db)).rows).toHaveLength(2)
  })

  it('still finds the order by the number, and is exported masked', async () => {
    const found = await exported(number)
    expect(
      found.data
        .find(({ table }) => table === 'orders')
        ?.rows.map(({ recipient }) => recipient)
        .toSorted(),
    ).toEqual(['024*****67', '024*****67', number].toSorted())
  })

  it('keeps nothing of the number where it is refused', async () => {
    as('ama')
    const { approval_id: id } = JSON.parse((await erase('Ama', another)).stdout) as { approval_id: string }
    await json('approvals', 'refuse', id, '--by', 'Ama')
    await carryOutErasures({ db: desk.db, secretsKeys })
    expect((await sql`select number, done_at from erasures where approval_id = ${id}`.execute(desk.db)).rows).toEqual([
      { number: null, done_at: null },
    ])
    expect((await sql`select from orders where recipient = ${another}`.execute(desk.db)).rows).toHaveLength(1)
    as('')
  })

  it('keeps nothing of the number where nobody decided in time, also when nothing else is proposed', async () => {
    as('ama')
    const { approval_id: id } = JSON.parse((await erase('Ama', another)).stdout) as { approval_id: string }
    as('')
    await desk.database.ownerDb.transaction().execute(async (tx) => {
      await sql`alter table approvals disable trigger user`.execute(tx)
      await sql`update approvals set expires_at = now() where id = ${id}`.execute(tx)
      await sql`alter table approvals enable trigger user`.execute(tx)
    })
    const timer = erasureTimer({ db: desk.db, secretsKeys, log: { info: () => undefined } })
    expect((await sql<{ is_due: boolean }>`select ${timer.isDue} as is_due`.execute(desk.db)).rows).toEqual([{ is_due: true }])
    await timer.run()
    expect((await sql`select number from erasures where approval_id = ${id}`.execute(desk.db)).rows).toEqual([{ number: null }])
    const { erasures } = await json('personal', 'list')
    expect(erasures).toContainEqual(expect.objectContaining({ approval_id: id, state: 'expired' }))
  })

  it('waits for no other erasure that cannot be carried out', async () => {
    const unreadable = newId()
    await sql`insert into approvals (id, kind, key, subject, request, reason, proposed_by, proposed_os_user, state, decided_by, decided_at)
      values (${unreadable}, 'personal erase', ${unreadable}, '*****', '{}', 'asked', 'ama', 'ama', 'done', 'kofi', now())`.execute(
      desk.db,
    )
    await sql`insert into erasures (approval_id, number, masked) values (${unreadable}, 'v1.lost.AAAA', '*****')`.execute(desk.db)
    as('ama')
    await erase('Ama', '0231111111')
    await erase('Ama', '0232222222')
    as('kofi')
    const typed = await erase('Kofi', '0231111111')
    expect(JSON.parse(typed.stdout)).toMatchObject({ status: 'done', erasure: { state: 'done' } })
    const { approvals } = (await json('approvals', 'list')) as { approvals: { approval_id: string; kind: string }[] }
    const waiting = approvals.find(({ kind }) => kind === 'personal erase')?.approval_id ?? ''
    await json('approvals', 'confirm', waiting, '--by', 'Kofi')
    as('')
    await expect(carryOutErasures({ db: desk.db, secretsKeys })).rejects.toThrow('erasures')
    const ended =
      await sql`select from erasures where approval_id = ${waiting} and done_at is not null and number is null`.execute(desk.db)
    expect(ended.rows).toHaveLength(1)
  })
})
