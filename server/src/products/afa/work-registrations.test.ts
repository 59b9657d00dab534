import { sql } from 'kysely'
import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { personNamed } from '../../../test/make-account.ts'
import { askOrderNow } from '../../orders/manual/ask-order-now.ts'
import { settleByPeople } from '../../orders/manual/settle-by-people.ts'
import { listOrders } from '../../orders/queries/list-orders.ts'
import { listDueRoutes } from '../../orders/schedule/claim-open-orders.ts'
import { raiseStuckAlarms } from '../../orders/schedule/raise-stuck-alarms.ts'
import { forgetNow } from '../../platform/forgetting/forget-now.fixture.ts'
import { writeSetting } from '../../platform/settings/settings.ts'
import { readToday } from '../../reports/home/read-today.ts'
import { products } from '../products.ts'
import { afaRefundOnCancel } from './afa.settings.ts'
import { exportRegistrations } from './export-registrations.ts'
import { forgettingOfIdentities } from './forget-identities.ts'
import { listRegistrations, maskIdentity } from './list-registrations.ts'
import { setUpAfa } from './set-up-afa.fixture.ts'
import {
  cancelRegistration,
  claimNextRegistrations,
  claimRegistrations,
  completeRegistration,
  RegistrationStateError,
} from './work-registrations.ts'

const log = pino({ level: 'silent' })
const desk = setUpAfa()
const { shop, person, register, registered, lookUp } = desk
const { balance } = shop
const word = (reference: string, reason: string | null = 'because') => ({ reference, reason, by: 'ama' })

/** The sales of the day in GHS that the home page of the order's account shows just after the order. */
async function soldToday(orderId: string) {
  const { account_id: accountId, created_at: at } = await shop.db
    .selectFrom('orders')
    .select(['account_id', 'created_at'])
    .where('id', '=', orderId)
    .executeTakeFirstOrThrow()
  const home = await readToday(shop.db, products, accountId, new Date(at.getTime() + 1))
  return home.salesPesewas / 100
}

describe('the operator’s desk', () => {
  it('moves a registration from pending to processing to completed, each once, with who did it', async () => {
    const { key, reference, orderId } = await registered()
    await expect(completeRegistration(shop.db, word(reference))).rejects.toThrow('Claim it first')
    await claimRegistrations(shop.db, [reference], 'ama')
    expect((await lookUp(key, reference)).body.data.status).toBe('processing')
    await expect(claimRegistrations(shop.db, [reference], 'kofi')).rejects.toThrow(RegistrationStateError)
    await completeRegistration(shop.db, word(reference, 'form 4711'))
    expect((await lookUp(key, reference)).body.data.status).toBe('completed')
    await expect(cancelRegistration(shop.db, word(reference))).rejects.toThrow('is completed already')
    const events = await shop.db
      .selectFrom('order_events')
      .selectAll()
      .where('order_id', '=', orderId)
      .orderBy('event_no')
      .execute()
    expect(events.map((event) => [event.from_status, event.to_status, event.actor, event.reason])).toEqual([
      ['pending', 'processing', 'ama', null],
      ['processing', 'completed', 'ama', 'form 4711'],
    ])
    const trail = await shop.db
      .selectFrom('operator_log')
      .select('action')
      .where('subject', '=', reference)
      .orderBy('id')
      .execute()
    expect(trail.map(({ action }) => action)).toEqual(['afa claim', 'afa complete'])
    expect(await balance(key)).toBe(988)
    expect(await soldToday(orderId)).toBe(12)
  })

  it.each(['pending', 'processing'])('credits the fee back, once, when it cancels one that is %s', async (state) => {
    const { key, reference, orderId } = await registered()
    if (state === 'processing') await claimRegistrations(shop.db, [reference], 'kofi')
    const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => cancelRegistration(shop.db, word(reference))))
    expect(outcomes.filter((outcome) => outcome.status === 'fulfilled')).toEqual([{ status: 'fulfilled', value: 1_200 }])
    expect(await balance(key)).toBe(1_000)
    expect((await lookUp(key, reference)).body.data.status).toBe('cancelled')
    const { rows } = await sql`select from open_orders where order_id = ${orderId}`.execute(shop.db)
    expect(rows).toEqual([])
    expect(await soldToday(orderId)).toBe(0)
  })

  it('keeps the fee when afa_refund_on_cancel is off', async () => {
    const { key, reference, orderId } = await registered()
    await writeSetting(shop.db, afaRefundOnCancel, false, 'test')
    expect(await cancelRegistration(shop.db, word(reference))).toBe(0)
    await writeSetting(shop.db, afaRefundOnCancel, true, 'test')
    expect(await balance(key)).toBe(988)
    expect(await soldToday(orderId)).toBe(12)
  })

  it('lets one of a completion and a cancellation that race win', async () => {
    const { key, reference } = await registered()
    await claimRegistrations(shop.db, [reference], 'ama')
    const outcomes = await Promise.allSettled(
      Array.from({ length: 8 }, (_, index) =>
        index % 2 ? cancelRegistration(shop.db, word(reference)) : completeRegistration(shop.db, word(reference)),
      ),
    )
    expect(outcomes.filter((outcome) => outcome.status === 'fulfilled')).toHaveLength(1)
    const { status } = (await lookUp(key, reference)).body.data
    expect(await balance(key)).toBe(status === 'cancelled' ? 1_000 : 988)
  })

  it('takes all of several registrations or, when one of them cannot be taken, none', async () => {
    const references = [(await registered()).reference, (await registered()).reference]
    const [taken] = references
    const other = await registered()
    await claimRegistrations(shop.db, [other.reference], 'kofi')
    for (const impossible of ['nobody-knows-it', other.reference]) {
      const claim = claimRegistrations(shop.db, [...references, impossible], 'ama')
      await expect(claim).rejects.toThrow(impossible)
    }
    const statuses = async () => {
      const rows = await shop.db.selectFrom('orders').select('status').where('reference', 'in', references).execute()
      return rows.map(({ status }) => status)
    }
    expect(await statuses()).toEqual(['pending', 'pending'])
    await claimRegistrations(shop.db, [...references, taken ?? ''], 'ama')
    expect(await statuses()).toEqual(['processing', 'processing'])
  })

  it('gives people who take the next ones at once different registrations, the oldest first', async () => {
    await claimNextRegistrations(shop.db, 100, 'earlier')
    const placed: string[] = []
    for (let index = 0; index < 6; index += 1) placed.push((await registered()).reference)
    const taken = await Promise.all(['ama', 'kofi', 'esi'].map((by) => claimNextRegistrations(shop.db, 2, by)))
    expect(taken.flat().toSorted()).toEqual(placed.toSorted())
    expect(await claimNextRegistrations(shop.db, 5, 'ama')).toEqual([])
  })

  it('is where registrations wait: no worker takes them, no alarm misses a supplier, nobody settles them elsewhere', async () => {
    const { reference, orderId } = await registered()
    expect(await listDueRoutes(shop.db)).not.toContain('operator/afa')
    expect(await askOrderNow(shop.db, { id: orderId, reference }, 'test')).toBe(false)
    await raiseStuckAlarms(shop.db, log)
    const alarms = await shop.db.selectFrom('alarms').select('subject').execute()
    expect(alarms.filter(({ subject }) => subject.includes('afa'))).toEqual([])
    const settled = await settleByPeople(shop.db, products, {
      orderId,
      outcome: 'failed',
      evidence: 'x',
      person: personNamed('ama'),
    })
    expect(settled).toMatchObject({ state: 'refused', command: expect.stringContaining('makola afa') })
    const { orders: listed } = await listOrders(shop.db, products, { limit: 1_000 })
    expect(listed.find((order) => order.id === orderId)).toMatchObject({ route: 'operator/afa', nextStepAt: null })
  })

  it('masks the card’s number and the date of birth', async () => {
    const { reference } = await registered()
    const [registration] = await listRegistrations(shop.db, desk.keys, { statuses: ['pending'], reference, limit: 1 })
    const identity = registration?.identity
    expect(identity && maskIdentity(identity)).toMatchObject({ id_number: 'GHA-*******89-0', date_of_birth: '****-**-**' })
  })

  it('exports cells that no spreadsheet takes for a formula', async () => {
    const { key } = await shop.app.makeReseller()
    const body = person({ full_name: '=cmd()', location: 'Osu, "RE"', notes: '+1' })
    await register(key, body)
    const found = await listRegistrations(shop.db, desk.keys, { statuses: ['pending'], reference: body.reference, limit: 1 })
    const [, row] = (await exportRegistrations(found)).split('\r\n')
    expect(row).toContain(
      `${body.reference},pending,'=cmd(),0241234567,Ghana Card,GHA-123456789-0,1990-05-17,Greater Accra,"Osu, ""RE""",'+1,`,
    )
  })

  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1+1', '\r=1+1', '\n=1+1', '＝1+1', '＋1', '－1', '＠SUM(A1)'])(
    'exports the cell %j as text',
    async (formula) => {
      const registration = { reference: formula, status: 'pending', claimedBy: null, createdAt: new Date(), identity: undefined }
      expect(await exportRegistrations([registration as never])).toContain(`'${formula}`)
    },
  )

  it('lists the others, too, when the data of one does not open, and says of which', async () => {
    const [whole, damaged] = [await registered(), await registered()]
    await sql`update afa_registrations set identity = left(identity, -1) where order_id = ${damaged.orderId}`.execute(shop.db)
    const listed = await listRegistrations(shop.db, desk.keys, { statuses: ['pending'], limit: 1_000 })
    const found = (orderId: string) => listed.find((registration) => registration.orderId === orderId)
    expect(found(whole.orderId)).toMatchObject({ identity: { full_name: 'Ama Mensah' }, isUnreadable: false })
    expect(found(damaged.orderId)).toMatchObject({ identity: undefined, isUnreadable: true })
  })

  it('deletes identity data 30 days after the end, and the order stays', async () => {
    const ended = await registered()
    const open = await registered()
    await cancelRegistration(shop.db, word(ended.reference))
    const age = (days: number) =>
      sql`update orders set updated_at = now() - make_interval(days => ${days}) where id in (${ended.orderId}, ${open.orderId})`.execute(
        shop.db,
      )
    const identities = async () => {
      const rows = await shop.db
        .selectFrom('afa_registrations')
        .select(['order_id', 'identity'])
        .where('order_id', 'in', [ended.orderId, open.orderId])
        .execute()
      return new Map(rows.map((row) => [row.order_id, row.identity !== null]))
    }
    await age(29)
    await forgetNow(shop.db, forgettingOfIdentities)
    expect((await identities()).get(ended.orderId)).toBe(true)
    await age(31)
    await forgetNow(shop.db, forgettingOfIdentities)
    expect(await identities()).toEqual(
      new Map([
        [ended.orderId, false],
        [open.orderId, true],
      ]),
    )
    expect((await lookUp(ended.key, ended.reference)).body.data.status).toBe('cancelled')
    const [purged] = await listRegistrations(shop.db, desk.keys, {
      statuses: ['cancelled'],
      reference: ended.reference,
      limit: 1,
    })
    expect(purged?.identity).toBeUndefined()
  })
})
