import { type RawBuilder, sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'

import type { TestBrowser } from '../../../../test/open-browser.ts'
import { untilTrue } from '../../../../test/patience.ts'
import { setUpPeople } from '../../../../test/set-up-people.ts'
import type { Answer } from '../../../../test/start-test-app.ts'
import { reasonOf, staffAtDesk } from '../../../people/staff-at-desk.fixture.ts'
import { inTransaction } from '../../../platform/database/in-transaction.ts'
import { newId } from '../../../platform/database/new-id.ts'

const shop = setUpPeople()
const { makeStaffMember } = staffAtDesk(shop)
let owner: TestBrowser
beforeAll(async () => {
  owner = await makeStaffMember('owner', 'ama@example.test')
})

const prices = { price_customer: 20, price_agent: 17.5, price_dealer: 16.5 }
const make = (name: string) => owner.ask('POST', '/desk/api/vouchers/types', { name, ...prices })
const change = (id: string, body: object) => owner.ask('POST', `/desk/api/vouchers/types/${id}`, { ...body, reason: 'r' })
const typesLike = (name: string) =>
  shop.db.selectFrom('voucher_types').select(['id', 'name', 'price_agent']).where('name', 'ilike', name).execute()

const insert = (name: string) => sql`
  insert into voucher_types (id, name, price_customer, price_agent, price_dealer) values (${newId()}, ${name}, 1, 1, 1)`

/** Asks while another change of the types is made, which the asked change must wait for once it has only read. */
async function askDuring(ask: () => Promise<Answer>, other: RawBuilder<unknown>): Promise<Answer> {
  const isWaiting = async () => {
    const { rows } = await sql`
      select from pg_locks where relation = 'voucher_types'::regclass and not granted`.execute(shop.app.database.ownerDb)
    return rows.length > 0
  }
  const { answer } = await inTransaction(shop.app.database.ownerDb, async (tx) => {
    await sql`lock table voucher_types in exclusive mode`.execute(tx)
    const asked = ask()
    await untilTrue(isWaiting, () => 'the change at the desk does not wait')
    await other.execute(tx)
    return { answer: asked }
  })
  return answer
}

it('409: of two new types of one name, the second one is refused and changes nothing of the first', async () => {
  const refused = await askDuring(() => make('Novdec'), insert('NOVDEC'))
  expect([refused.status, refused.body.error?.message]).toEqual([409, 'There is a voucher type Novdec already.'])
  expect(await typesLike('novdec')).toMatchObject([{ name: 'NOVDEC', price_agent: 1 }])
})

it('a change is that of the type itself, also when somebody renames it meanwhile', async () => {
  await make('BECE')
  const [{ id } = { id: '' }] = await typesLike('BECE')
  const renaming = sql`update voucher_types set name = 'BECE 2027' where id = ${id}`
  expect((await askDuring(() => change(id, { ...prices, price_agent: 18 }), renaming)).status).toBe(200)
  expect(await typesLike('BECE%')).toEqual([{ id, name: 'BECE 2027', price_agent: 1_800 }])
  expect(reasonOf(await change(newId(), { price_agent: 18 }))).toEqual([404, 'voucher_type_not_found'])
})

it('400: a name has characters, and no control characters', async () => {
  await make('Shs')
  const [{ id } = { id: '' }] = await typesLike('Shs')
  for (const name of ['', '  ', 'WAS\u001b[2JSCE', 'WASSCE\n2026', 'x'.repeat(101)]) {
    expect([name, (await make(name)).status]).toEqual([name, 400])
    expect([name, (await change(id, { name })).status]).toEqual([name, 400])
  }
})
