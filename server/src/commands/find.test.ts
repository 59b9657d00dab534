import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { setUpCommandLine } from '../../test/set-up-command-line.ts'
import { allCommands } from '../all-commands.ts'
import { placeTestOrders } from '../orders/intake/place-test-orders.fixture.ts'
import { outgoingReference } from '../orders/outgoing-reference.ts'
import { newId } from '../platform/database/new-id.ts'

const desk = setUpCommandLine(allCommands, { SECRETS_KEY: Buffer.alloc(32, 1).toString('base64') })
const { run, json } = desk

type Match = { type: string; id: string; text: string; next: string }

const find = async (...words: string[]) =>
  (await json('find', ...words)) as { matches: Match[]; more: { things: string; next: string | null }[] }
const typesOf = async (...words: string[]) => (await find(...words)).matches.map(({ type }) => type)

/** Runs the command that a match says to type next. */
async function typeNext({ next }: Match): Promise<{ exitCode: number; stdout: string }> {
  const [makola, ...words] = next.split(' ')
  expect(makola).toBe('makola')
  return run(...words, '--json')
}

const ama = ['--account', 'ama.mensah@example.test']
let accountId: string
let key: string
let keyId: string
let order: { orderId: string; reference: string }
const campaignId = newId()
let outgoing: string

async function writeRows(): Promise<void> {
  const { db } = desk
  outgoing = outgoingReference(order.orderId, 'datamart', 1)
  await sql`
    insert into attempts (order_id, attempt_no, supplier, outgoing_reference, send_before, outcome, supplier_reference)
    values (${order.orderId}, 1, 'datamart', ${outgoing}, now(), 'accepted', 'DM-4711')`.execute(db)
  await sql`
    insert into attempt_answers (order_id, attempt_no, source, answer, evidence, supplier_reference)
    values (${order.orderId}, 1, 'send', 'accepted', 'ok', 'DM-4711')`.execute(db)
  await sql`insert into registrations (number, server, state) values ('0241234567', 1, 'registered')`.execute(db)
  await sql`insert into account_notice_settings (account_id, phone) values (${accountId}, '233241234567')`.execute(db)
  await sql`
    insert into sms_campaigns (id, account_id, status, source, sender, message, encoding, segment_rule, segments, recipients,
      recipients_count, credits_charged, open_count, is_bulk, blocked_by)
    values (${campaignId}, ${accountId}, 'blocked', 'api', 'AMASHOP', 'free money', 'gsm7', 'standard', 1, '{}', 3, 0, 0, false, 'x')`.execute(
    db,
  )
  await sql`
    insert into sms_parts (campaign_id, n, part_no, supplier, message_key, recipient_tail)
    values (${campaignId}, 1, 1, 'smpp', 'abc123', '241234567')`.execute(db)
  await sql`insert into suppliers (name, adapter) values ('smpp', 'smpp') on conflict do nothing`.execute(db)
  await sql`
    insert into account_references (account_id, service, reference, order_id, kind, fingerprint)
    values (${accountId}, 'sms', 'their-campaign', ${order.orderId}, 'sms', '')`.execute(db)
  await sql`
    insert into commission_moves (id, account_id, external_id, amount, actor)
    values (${newId()}, ${accountId}, 'payout-7', 150, 'test')`.execute(db)
}

beforeAll(async () => {
  const created = await json(
    'account',
    'create',
    '--email',
    'ama.mensah@example.test',
    '--name',
    'Ama Mensah-Ɔsɛ',
    '--role',
    'agent',
  )
  accountId = String(created['account_id'])
  const made = await json('key', 'create', ...ama, '--type', 'standard')
  key = String(made['key'])
  keyId = String(made['key_id'])
  await json('wallet', 'credit', ...ama, '--amount', '500', '--id', 'receipt 1041')
  await json('sms', 'credit', ...ama, '--credits', '50', '--id', 'receipt 1042')
  await json('voucher-type', 'set', 'WASSCE', '--price-customer', '3', '--price-agent', '2', '--price-dealer', '1')
  await writeFile(join(desk.folder, 'vouchers.csv'), 'pin,serial_number\nPIN-OF-ONE,SERIAL-1\nPIN-OF-TWO,SERIAL-2\n')
  await json('vouchers', 'import', '--type', 'WASSCE', join(desk.folder, 'vouchers.csv'))
  await json('ported', 'set', '0241234567', 'Telecel')
  const placed = await placeTestOrders(desk.db, accountId, ['0241234567'], {
    details: { network: 'MTN', size: '1GB' },
  })
  order = placed[0]!
  await writeRows()
})

describe('makola find', () => {
  it.each([['0241234567'], ['024 123 4567'], ['024', '123', '4567'], ['+233241234567'], ['233241234567'], ['+233 24-123-4567']])(
    'finds by a number written %j the orders to it, whose it is, its registration and where it was carried',
    async (...words) => {
      const { matches } = await find(...words)
      expect(matches.map(({ type }) => type).toSorted()).toEqual(['account', 'number registration', 'order', 'ported number'])
      expect(matches[0]).toMatchObject({ type: 'order', id: order.orderId, next: `makola order show ${order.orderId}` })
      expect(matches[0]?.text).toContain('of ama.mensah@example.test: data MTN to 0241234567 for GHS 5.00, pending')
    },
  )

  it('finds an order by its reference, its id, and the reference that its account gave it', async () => {
    for (const text of [order.reference, order.orderId.toUpperCase(), 'their-campaign']) {
      const { matches } = await find(text)
      expect(matches.find(({ type }) => type === 'order')).toMatchObject({ id: order.orderId })
    }
  })

  it('finds an attempt by our reference and by the supplier’s', async () => {
    for (const text of [outgoing, outgoing.toUpperCase(), 'DM-4711']) {
      expect((await find(text)).matches).toMatchObject([
        { type: 'attempt', id: outgoing, next: `makola order show ${order.orderId}` },
      ])
    }
  })

  it('finds lines of suppliers’ statements, whether they name an order of ours or nothing we know', async () => {
    const file = join(desk.folder, 'july.csv')
    await writeFile(file, `reference,amount,date\n${outgoing},4.00,2026-07-31\nNEVER-OURS,5.00,2026-07-31\n`)
    await json('reconcile', '--supplier', 'datamart', file)
    expect((await find(outgoing)).matches.map(({ type }) => type)).toEqual(['attempt', 'statement line'])
    expect((await find('NEVER-OURS')).matches).toMatchObject([
      { type: 'statement line', next: 'makola reconcile differences --supplier datamart' },
    ])
    expect((await find('NEVER-OURS')).matches[0]?.text).toBe(
      'Line 3 of datamart’s statement july.csv, NEVER-OURS for GHS 5.00: theirs_only.',
    )
  })

  it.each(['ama.mensah@example.test', 'AMA.Mensah@Example.test', 'ama', 'Mensah', 'mens', 'mensah ama', 'example ama', 'Ɔsɛ'])(
    'finds an account by %s',
    async (text) => {
      expect((await find(text)).matches).toMatchObject([
        { type: 'account', id: accountId, next: 'makola account show --account ama.mensah@example.test' },
      ])
    },
  )

  it('finds a key by its last four characters, as a list shows it, whole, or by its id, and never shows it', async () => {
    for (const text of [key.slice(-4), `makola_live_…${key.slice(-4)}`, key, keyId]) {
      const { stdout } = await run('find', text, '--json')
      expect(JSON.parse(stdout)).toMatchObject({ matches: [{ type: 'key', id: keyId }] })
      expect(stdout).not.toContain(key)
    }
    expect(await typesOf(key.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a')))).toEqual([])
  })

  it('finds a credit by the id that it was made with, and what moved by the id of its cause', async () => {
    const { matches } = await find('receipt', '1041')
    expect(matches).toMatchObject([{ type: 'credit', text: expect.stringContaining('GHS 500.00') as string }])
    expect(await typesOf(String(matches[0]?.id))).toEqual(['credit', 'transfer'])
    expect(await typesOf(order.orderId)).toEqual(['order', 'transfer'])
    expect(await typesOf('payout-7')).toEqual(['commission move'])
  })

  it('finds a proposal by its id', async () => {
    const { approval_id: id } = await json('wallet', 'correct', ...ama, '--amount', '-1', '--reason', 'r', '--by', 'kofi')
    expect((await find(String(id))).matches).toMatchObject([
      { type: 'proposal', text: expect.stringContaining('pending') as string },
    ])
  })

  it('finds a campaign by its id, also a blocked one, and a text by its supplier’s id', async () => {
    expect((await find(campaignId)).matches).toMatchObject([
      { type: 'campaign', next: `makola account show --account ${accountId}` },
    ])
    expect((await find('00ABC123')).matches).toMatchObject([{ type: 'message', id: `${campaignId}/1` }])
  })

  it('finds a voucher by its serial number and says nothing that its buyer paid for', async () => {
    const { stdout } = await run('find', 'SERIAL-1', '--json')
    expect((JSON.parse(stdout) as { matches: Match[] }).matches).toMatchObject([
      { type: 'voucher', text: 'A voucher of WASSCE in stock: nobody has bought it.', next: 'makola vouchers count' },
    ])
    expect(stdout).not.toContain('SERIAL-1')
    expect(stdout).not.toContain('PIN-OF')
    expect(await typesOf('PIN-OF-ONE')).toEqual([])
    expect(await typesOf('SERIAL-3')).toEqual([])
  })

  it('says of a voucher that was sold with which order, and of one taken out of the stock by which proposal', async () => {
    const owner = desk.database.ownerDb
    const idOf = async (serial: string) => (await find(serial)).matches[0]?.id ?? ''
    const [sold, gone] = [await idOf('SERIAL-1'), await idOf('SERIAL-2')]
    await sql`update vouchers set order_id = ${order.orderId}, sold_at = now() where id = ${sold}`.execute(owner)
    expect((await find('SERIAL-1')).matches).toMatchObject([{ id: sold, next: `makola order show ${order.orderId}` }])
    expect((await find(sold)).matches).toMatchObject([{ type: 'voucher', id: sold }])
    const withdraw = ['vouchers', 'withdraw', '--type', 'WASSCE', '--ids', gone, '--reason', 'r', '--by', 'ama', '--yes']
    const { approval_id: approvalId } = await json(...withdraw)
    await json('approvals', 'confirm', String(approvalId), '--by', 'kofi', '--yes')
    expect((await find('SERIAL-2')).matches).toMatchObject([
      { id: gone, text: expect.stringContaining(String(approvalId)) as string },
    ])
  })

  it('says of a request id that the log has it', async () => {
    const { matches } = await find('0123456789abcdef01-1z')
    expect(matches).toMatchObject([{ type: 'request', next: 'journalctl --unit makola-api --grep 0123456789abcdef01-1z' }])
  })

  it('answers each match with a command that works', async () => {
    const texts = [
      '0241234567',
      order.orderId,
      'DM-4711',
      'ama',
      keyId,
      'receipt 1041',
      'receipt 1042',
      'payout-7',
      campaignId,
      'SERIAL-1',
    ]
    for (const text of texts) {
      for (const match of (await find(text)).matches) {
        expect({ match, ...(await typeNext(match)) }).toMatchObject({ match, exitCode: 0 })
      }
    }
  })

  it('shows people what each thing is and what to type, and says when there is nothing', async () => {
    const { stdout } = await run('find', 'ama')
    expect(stdout).toBe(
      'The account of Ama Mensah-Ɔsɛ (ama.mensah@example.test), agent, active.\n  makola account show --account ama.mensah@example.test\n',
    )
    expect((await run('find', 'nothing like it')).stdout).toMatch(/^Nothing has this text\./)
    expect(await find('nothing like it')).toEqual({ matches: [], more: [] })
  })

  it('answers ten of each kind, newest first, and says that there are more', async () => {
    const recipients = Array.from({ length: 11 }, () => '0249999999')
    const placed = await placeTestOrders(desk.db, accountId, recipients, { pricePesewas: 1 })
    const { matches, more } = await find('0249999999')
    expect(matches.map(({ id }) => id)).toEqual(
      placed
        .slice(1)
        .toReversed()
        .map(({ orderId }) => orderId),
    )
    expect(more).toEqual([{ things: 'orders', next: 'makola order list --recipient 0249999999' }])
    expect((await run('find', '024', '9999999')).stdout).toContain(
      "There are more orders than these 10.\n  makola order list --recipient '024 9999999'\n",
    )
  })

  it.each([
    ['an empty text', ''],
    ['blanks', '   '],
    ['a control character', 'a\u0007b'],
    ['two lines', 'a\nb'],
    ['a long text', 'x'.repeat(201)],
  ])('refuses %s in one line, and ends with 2', async (_what, text) => {
    const { exitCode, stdout, stderr } = await run('find', text)
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
    expect(stderr).toBe('makola: The text to look for must have 1 to 200 printable characters.\n')
  })

  it('takes a text behind two dashes, whatever it begins with', async () => {
    expect((await run('find', '--', '-x7f3')).stdout).toMatch(/^Nothing has this text\./)
  })

  it.each(["'; drop table orders; --", '%', '_', "' & | ! :* <->", '\\', '('])(
    'takes %j for a text like any other',
    async (text) => {
      expect((await run('find', text, '--json')).exitCode).toBe(0)
    },
  )
})
