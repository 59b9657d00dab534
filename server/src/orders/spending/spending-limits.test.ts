import { beforeEach, describe, expect, it } from 'vitest'
import { makeAccount } from '../../../test/make-account.ts'
import { mustPassAudit } from '../../../test/must-pass-audit.ts'
import type { TestBrowser } from '../../../test/open-browser.ts'
import { setUpPeople, testPassword } from '../../../test/set-up-people.ts'
import { hashPersonPassword } from '../../people/auth/hash-password.ts'
import { createMember } from '../../people/manage-people.ts'
import type { MemberRole } from '../../people/permissions/member-permissions.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { newId } from '../../platform/database/new-id.ts'

const shop = setUpPeople()
type Member = { readonly personId: string; readonly page: TestBrowser }
let accountId: string
let owner: Member
let buyer: Member
let references = 0

async function makeMemberOf(account: string, role: MemberRole): Promise<Member> {
  const email = `${role}-${newId()}@example.test`
  const passwordHash = await hashPersonPassword(testPassword)
  const { personId } = await inTransaction(shop.db, (tx) =>
    createMember(tx, { email, passwordHash, account, role, actor: 'test' }),
  )
  const page = await shop.browser()
  await page.ask('POST', '/app/api/sign-in', { email, password: testPassword })
  return { personId, page }
}

/** An account with GHS 500, an owner and a buyer; a bundle costs GHS 26. */
beforeEach(async () => {
  await shop.db.deleteFrom('rate_limits').execute()
  ;({ accountId } = await makeAccount(shop.db, { balancePesewas: 50_000 }))
  owner = await makeMemberOf(accountId, 'owner')
  buyer = await makeMemberOf(accountId, 'buyer')
})

const limit = (perDay: number | null, of = buyer) =>
  owner.page.ask('PUT', `/app/api/spending/${of.personId}`, { per_day: perDay })
const spendingOf = async ({ personId }: Member) =>
  (await owner.page.ask('GET', '/app/api/spending')).body.data.members.find(
    (each: { person_id: string }) => each.person_id === personId,
  )
const newReference = () => `limited-${++references}`
const buy = (count = 1, { page } = buyer, reference = newReference()) =>
  page.ask('POST', '/app/api/data/purchase', {
    orders: Array.from({ length: count }, (_, n) => ({
      network: 'MTN',
      volume_gb: 5,
      recipient: `024123450${n}`,
      reference: count === 1 ? reference : `${reference}-${n}`,
      price: 26,
    })),
  })

describe('the spending limit of a member', () => {
  it('403: refuses what is over it with what is left, moves no money, and lets others buy', async () => {
    await limit(60)
    expect((await buy()).status).toBe(200)
    const refused = await buy(2)
    expect([refused.status, refused.headers['x-error-reason'], refused.body.error.message]).toEqual([
      403,
      'spending_limit',
      expect.stringMatching(/^This is more than you may spend today.*GHS 34\.00 of your daily limit is left/),
    ])
    expect(await spendingOf(buyer)).toEqual({
      person_id: buyer.personId,
      limit: 60,
      left: 34,
      orders_today: 1,
      bought_today: 26,
    })
    expect((await buy()).status).toBe(200)
    expect((await buy()).status).toBe(403)
    expect((await buy(3, owner)).status).toBe(200)
    expect((await buyer.page.ask('GET', '/app/api/home')).body.data.purses.main).toBe(500 - 5 * 26)
    await limit(null)
    expect((await buy()).status).toBe(200)
    expect((await spendingOf(buyer)).limit).toBeNull()
  })

  it('holds however many purchases race for it, and the audit finds nothing', async () => {
    await limit(26 * 3)
    const answers = await Promise.all(Array.from({ length: 12 }, () => buy()))
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(3)
    expect(statuses.filter((status) => status === 403)).toHaveLength(9)
    expect(await spendingOf(buyer)).toMatchObject({ left: 0, orders_today: 3 })
    await mustPassAudit(shop.db)
  })

  it('counts a repeat of the same purchase once', async () => {
    await limit(26)
    const reference = newReference()
    expect((await buy(1, buyer, reference)).status).toBe(200)
    expect((await buy(1, buyer, reference)).status).toBe(200)
    expect(await spendingOf(buyer)).toMatchObject({ left: 0, orders_today: 1 })
  })

  it('counts what was bought today before it was set, and begins anew on the next day', async () => {
    await buy(2)
    await limit(60)
    expect(await spendingOf(buyer)).toMatchObject({ limit: 60, left: 8 })
    expect((await buy()).status).toBe(403)
    await shop.db
      .updateTable('spending_limits')
      .set({ spent_on: new Date(Date.now() - 24 * 3_600_000).toISOString().slice(0, 10) })
      .execute()
    expect((await buy(2)).status).toBe(200)
    expect(await spendingOf(buyer)).toMatchObject({ left: 8 })
  })

  it('counts SMS credits too', async () => {
    await limit(1)
    const { packs } = (await buyer.page.ask('GET', '/app/api/sms')).body.data
    const [pack] = packs
    const body = { credits: pack.credits, price: pack.price, reference: newReference() }
    const refused = await buyer.page.ask('POST', '/app/api/sms/credits', body)
    expect([refused.status, refused.headers['x-error-reason']]).toEqual([403, 'spending_limit'])
    await limit(pack.price)
    expect((await buyer.page.ask('POST', '/app/api/sms/credits', body)).status).toBe(200)
    expect(await spendingOf(buyer)).toMatchObject({ left: 0 })
  })

  it('is set by owners of the account alone, for its own members', async () => {
    const { page } = buyer
    expect((await page.ask('PUT', `/app/api/spending/${buyer.personId}`, { per_day: 1_000 })).status).toBe(403)
    expect((await page.ask('GET', '/app/api/spending')).status).toBe(403)
    const { accountId: other } = await makeAccount(shop.db)
    const stranger = await makeMemberOf(other, 'owner')
    const path = `/app/api/spending/${buyer.personId}`
    expect((await stranger.page.ask('PUT', path, { per_day: 0 })).status).toBe(404)
    expect((await owner.page.ask('PUT', path, { per_day: -1 })).status).toBe(400)
    expect((await limit(0)).status).toBe(200)
    expect((await buy()).status).toBe(403)
  })
})

describe('who bought what', () => {
  it('is named on the order and a filter of the list', async () => {
    const { body } = await buy()
    await buy(1, owner)
    const [order] = body.data.orders
    const read = async (path: string) => (await owner.page.ask('GET', `/app/api${path}`)).body.data
    expect((await read(`/orders/${order.order_id}`)).bought_by).toContain('buyer-')
    const { orders } = await read(`/orders?person=${buyer.personId}`)
    expect(orders.map(({ order_id }: { order_id: string }) => order_id)).toEqual([order.order_id])
    expect((await read(`/orders?person=${newId()}`)).orders).toEqual([])
    expect((await read('/orders')).orders).toHaveLength(2)
  })
})
