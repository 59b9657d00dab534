import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { retryWhileOverloaded } from '../../../test/retry-while-busy.ts'
import { isPast, untilPast } from '../../../test/until-past.ts'
import { setAccountRole } from '../../accounts/set-account-role.ts'
import { prefixCheck } from '../../networks/networks.settings.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { writeSetting } from '../../platform/settings/settings.ts'
import { dataEnabled } from './data.settings.ts'
import { setUpData } from './set-up-data.fixture.ts'

const { shop, bundle, buy, countOrders, changeCatalogue } = setUpData()
const { balance } = shop
const lookUp = (key: string, reference: string) => shop.app.call('GET', `/orders/${encodeURIComponent(reference)}`, { key })

describe('POST /data/purchase', () => {
  it('200: debits the wallet by the price of the caller’s role and answers the order as the contract shows it', async () => {
    const { key } = await shop.app.makeReseller({ role: 'agent', balancePesewas: 10_000 })
    const body = bundle()
    const { status, body: answer } = await buy(key, body)
    expect(status).toBe(200)
    expect(answer.meta.version).toBe('v2')
    expect(answer.data).toEqual({
      order_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      reference: body.reference,
      status: 'pending',
      network: 'MTN',
      size: '1GB',
      recipient: '0241234567',
      price: 5.2,
      source: 'api',
      new_balance: 94.8,
    })
    expect(await balance(key)).toBe(94.8)
  })

  it('200: answers a repeat with the same reference and body with the original order and charges nothing', async () => {
    const { key } = await shop.app.makeReseller()
    const body = bundle()
    const first = await buy(key, body)
    const again = await buy(key, { ...body, volume_gb: 1.0 }, shop.second)
    expect(again.status).toBe(200)
    expect(again.headers['idempotent-replayed']).toBe('true')
    expect(again.body.data).toEqual(first.body.data)
    expect(first.headers['idempotent-replayed']).toBeUndefined()
  })

  it('409: moves no money when a reference comes back with another body', async () => {
    const { key, accountId } = await shop.app.makeReseller()
    const body = bundle()
    await buy(key, body)
    const before = await balance(key)
    for (const change of [{ recipient: '0241234568' }, { volume_gb: 2 }, { network: 'Telecel', recipient: '0201234567' }]) {
      const answer = await buy(key, { ...body, ...change })
      expect(answer.status).toBe(409)
    }
    expect(await balance(key)).toBe(before)
    expect(await countOrders(accountId)).toBe(1)
  })

  it('409: says the same and shows nothing when another account reuses a reference', async () => {
    const owner = await shop.app.makeReseller()
    const other = await shop.app.makeReseller()
    const body = bundle()
    await buy(owner.key, body)
    const own = await buy(owner.key, { ...body, volume_gb: 2 })
    const foreign = await buy(other.key, body)
    expect(foreign.status).toBe(409)
    expect(foreign.body).toEqual(own.body)
    expect(await balance(other.key)).toBe(1_000)
    expect((await lookUp(other.key, body.reference)).status).toBe(404)
  })

  it('200: turns equal requests racing on two processes into one order and one debit', async () => {
    const { key, accountId } = await shop.app.makeReseller({ balancePesewas: 100_000 })
    const body = bundle()
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) => retryWhileOverloaded(() => buy(key, body, index % 2 ? shop.app : shop.second))),
    )
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]))
    expect(new Set(answers.map((answer) => answer.body.data.order_id)).size).toBe(1)
    expect(answers.filter((answer) => answer.headers['idempotent-replayed'] === undefined)).toHaveLength(1)
    expect(await countOrders(accountId)).toBe(1)
    expect(await balance(key)).toBe(994.8)
  })

  it('200 or 409: lets one of several different bodies racing for a reference win, and refuses the rest', async () => {
    const { key } = await shop.app.makeReseller()
    const body = bundle()
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        retryWhileOverloaded(() => buy(key, { ...body, recipient: `02412345${10 + index}` }, index % 2 ? shop.app : shop.second)),
      ),
    )
    expect(answers.map((answer) => answer.status).toSorted((a, b) => a - b)).toEqual([
      200,
      ...Array.from({ length: 19 }, () => 409),
    ])
    expect(await balance(key)).toBe(994.8)
  })

  it('200 or 400: sells exactly what the wallet holds to 64 connections on two processes', async () => {
    const { key } = await shop.app.makeReseller({ balancePesewas: 520 * 25 })
    const answers = await Promise.all(
      Array.from({ length: 64 }, (_, index) => {
        const body = bundle()
        return retryWhileOverloaded(() => buy(key, body, index % 2 ? shop.app : shop.second))
      }),
    )
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(25)
    expect(
      answers.filter((answer) => answer.status === 400 && answer.headers['x-error-reason'] === 'insufficient_funds'),
    ).toHaveLength(39)
    expect(await balance(key)).toBe(0)
  })

  it('400: leaves the reference free when the balance is not enough', async () => {
    const { key, accountId } = await shop.app.makeReseller({ balancePesewas: 100 })
    const body = bundle()
    const refused = await buy(key, body)
    expect(refused.status).toBe(400)
    expect(refused.body).toEqual({ success: false, error: { code: 400, message: expect.stringContaining('balance') } })
    expect(await countOrders(accountId)).toBe(0)
    const { key: rich } = await shop.app.makeReseller()
    expect((await buy(rich, body)).status).toBe(200)
  })

  it.each([
    ['a network in the wrong case', { network: 'mtn' }],
    ['a network of airtime', { network: 'AT' }],
    ['a volume as text', { volume_gb: '1' }],
    ['a volume of zero', { volume_gb: 0 }],
    ['a negative volume', { volume_gb: -1 }],
    ['a recipient of nine digits', { recipient: '024123456' }],
    ['a recipient in international form', { recipient: '233241234567' }],
    ['a recipient with a plus', { recipient: '+233241234567' }],
    ['a recipient with a space', { recipient: '024 1234567' }],
    ['a recipient with other digits', { recipient: '٠٢٤١٢٣٤٥٦٧' }],
    ['a recipient with a line break', { recipient: '0241234567\n' }],
    ['a recipient as a number', { recipient: 241234567 }],
    ['no reference', { reference: undefined }],
    ['an empty reference', { reference: '' }],
    ['a blank reference', { reference: '   ' }],
    ['a reference of 101 characters', { reference: 'x'.repeat(101) }],
    ['a reference with a control character', { reference: 'a\u0007b' }],
    ['a reference with NUL', { reference: 'a\u0000b' }],
    ['the reference "."', { reference: '.' }],
    ['the reference ".."', { reference: '..' }],
    ['a null', { network: null }],
  ])('400: moves no money for %s', async (_what, change) => {
    const { key, accountId } = await shop.app.makeReseller()
    const answer = await buy(key, { ...bundle(), ...change })
    expect(answer.status).toBe(400)
    expect(answer.body).toEqual({ success: false, error: { code: 400, message: expect.any(String) } })
    expect(await countOrders(accountId)).toBe(0)
    expect(await balance(key)).toBe(1_000)
  })

  it('200: ignores unknown fields of the body', async () => {
    const { key } = await shop.app.makeReseller()
    expect((await buy(key, bundle({ color: 'blue', price: 0.01 }))).body.data.price).toBe(5.2)
  })

  it('200: places and finds references of 100 characters with slashes, percent signs, blanks and letters of any language', async () => {
    const { key } = await shop.app.makeReseller()
    for (const reference of [
      'a/b%c ɛ?#&+'.padEnd(100, 'ɔ'),
      '😀'.repeat(100),
      '100%/%2F ',
      '%00',
      'a..b/../c',
      "'; drop table orders; --",
    ]) {
      expect((await buy(key, bundle({ reference }))).status).toBe(200)
      const found = await lookUp(key, reference)
      expect(found.status).toBe(200)
      expect(found.body.data.reference).toBe(reference)
    }
  })

  it('200: compares references exactly: case, blanks and composed letters make another one', async () => {
    const { key, accountId } = await shop.app.makeReseller()
    for (const reference of ['Exact', 'exact', 'exact ', 'é', 'e\u0301']) {
      expect((await buy(key, bundle({ reference }))).headers['idempotent-replayed']).toBeUndefined()
    }
    expect(await countOrders(accountId)).toBe(5)
  })

  it('404: charges nothing when no package matches', async () => {
    const { key } = await shop.app.makeReseller()
    for (const volume of [1.5, 7, 1e300, 0.001]) {
      const answer = await buy(key, bundle({ volume_gb: volume }))
      expect(answer.status).toBe(404)
      expect(answer.headers['x-error-reason']).toBe('package_not_found')
    }
    expect(await balance(key)).toBe(1_000)
  })

  it('404: has a text of its own when the package is unavailable or out of stock', async () => {
    const { key } = await shop.app.makeReseller()
    await changeCatalogue(sql`update packages set is_available = false where network = 'Telecel' and volume_gb = 20`)
    await changeCatalogue(sql`update packages set stock = 0 where network = 'Telecel' and volume_gb = 10`)
    const unavailable = await buy(key, bundle({ network: 'Telecel', recipient: '0201234567', volume_gb: 20 }))
    const soldOut = await buy(key, bundle({ network: 'Telecel', recipient: '0201234567', volume_gb: 10 }))
    expect([unavailable.status, soldOut.status]).toEqual([404, 404])
    expect(unavailable.body.error.message).not.toBe(soldOut.body.error.message)
    expect(await balance(key)).toBe(1_000)
  })

  it('200 or 404: never sells more of a limited package than there is, however many race for it on two processes', async () => {
    const { key } = await shop.app.makeReseller({ balancePesewas: 1_000_000 })
    await changeCatalogue(sql`update packages set stock = 7 where network = 'MTN' and volume_gb = 20`)
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, index) => {
        const body = bundle({ volume_gb: 20 })
        return retryWhileOverloaded(() => buy(key, body, index % 2 ? shop.app : shop.second))
      }),
    )
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(7)
    expect(answers.filter((answer) => answer.headers['x-error-reason'] === 'package_out_of_stock')).toHaveLength(23)
    const { rows } = await sql<{ stock: number }>`select stock from packages where network = 'MTN' and volume_gb = 20`.execute(
      shop.db,
    )
    expect(rows[0]?.stock).toBe(0)
    await changeCatalogue(sql`update packages set stock = null where network = 'MTN' and volume_gb = 20`)
  })

  it('200: charges the price in force when the order is decided, not the one this process remembers', async () => {
    const { key } = await shop.app.makeReseller()
    await shop.app.call('GET', '/packages', { key })
    await changeCatalogue(sql`update packages set price_agent = 333 where network = 'AT-iShare' and volume_gb = 2`)
    const answer = await buy(key, bundle({ network: 'AT-iShare', recipient: '0261234567', volume_gb: 2 }))
    expect(answer.body.data.price).toBe(3.33)
  })

  it('400: refuses a number whose prefix belongs to another network', async () => {
    const { key } = await shop.app.makeReseller()
    const answer = await buy(key, bundle({ recipient: '0201234567' }))
    expect([answer.status, answer.headers['x-error-reason']]).toEqual([400, 'prefix_mismatch'])
    for (const prefix of ['024', '025', '053', '054', '055', '059']) {
      expect((await buy(key, bundle({ recipient: `${prefix}1234567` }))).status).toBe(200)
    }
  })

  it('200 or 400: follows the list of ported numbers before the prefix', async () => {
    const { key } = await shop.app.makeReseller()
    await changeCatalogue(
      sql`insert into ported_numbers (number, network) values ('0247777777', 'Telecel'), ('0208888888', 'AT')`,
    )
    await shop.app.untilSeen()
    expect((await buy(key, bundle({ recipient: '0247777777' }))).status).toBe(400)
    expect((await buy(key, bundle({ network: 'Telecel', recipient: '0247777777' }))).status).toBe(200)
    expect((await buy(key, bundle({ network: 'AT-BigTime', recipient: '0208888888' }))).status).toBe(200)
  })

  it('200: leaves the prefix to the supplier when prefix_check is hint', async () => {
    const { key } = await shop.app.makeReseller()
    await writeSetting(shop.db, prefixCheck, 'hint', 'test')
    await shop.app.untilSeen()
    expect((await buy(key, bundle({ recipient: '0201234567' }))).status).toBe(200)
    await writeSetting(shop.db, prefixCheck, 'enforce', 'test')
    await shop.app.untilSeen()
  })

  it('503: sells nothing while data is switched off, but still answers a replay, whatever has become of its package and prefix', async () => {
    const { key } = await shop.app.makeReseller()
    const body = bundle({ network: 'AT-BigTime', recipient: '0271234567', volume_gb: 20 })
    const first = await buy(key, body)
    await changeCatalogue(sql`delete from number_prefixes where prefix = '027'`)
    await changeCatalogue(sql`update packages set is_available = false where network = 'AT-BigTime' and volume_gb = 20`)
    await writeSetting(shop.db, dataEnabled, false, 'test')
    await shop.app.untilSeen()
    const again = await buy(key, body)
    expect([again.status, again.body.data.order_id]).toEqual([200, first.body.data.order_id])
    expect((await buy(key, { ...body, volume_gb: 1 })).status).toBe(409)
    const refused = await buy(key, bundle())
    expect([refused.status, refused.headers['x-error-reason']]).toEqual([503, 'feature_disabled'])
    expect((await lookUp(key, body.reference)).status).toBe(200)
    expect((await shop.app.call('GET', '/packages', { key })).status).toBe(200)
    await writeSetting(shop.db, dataEnabled, true, 'test')
    await changeCatalogue(sql`insert into number_prefixes values ('027', 'AT-iShare'), ('027', 'AT-BigTime'), ('027', 'AT')`)
    await shop.app.untilSeen()
  })

  it('200: prices an expired role as a customer from the moment it expires, by the database’s clock', async () => {
    // If this machine takes longer than the role lasts, the role lasts longer at the next try.
    let milliseconds = 1_000
    let bought: { key: string; accountId: string; price: number }
    let soon: Date
    do {
      milliseconds *= 2
      soon = new Date(Date.now() + milliseconds)
      const reseller = await shop.app.makeReseller({ role: 'dealer', roleExpiresAt: soon })
      bought = { ...reseller, price: (await buy(reseller.key, bundle())).body.data.price as number }
    } while (await isPast(shop.db, soon))
    const { key, accountId, price } = bought
    expect(price).toBe(4.9)
    await untilPast(shop.db, soon)
    expect((await buy(key, bundle())).body.data.price).toBe(6)
    await inTransaction(shop.db, (tx) => setAccountRole(tx, { accountId, role: 'agent', roleExpiresAt: null, actor: 'test' }))
    expect((await buy(key, bundle())).body.data.price).toBe(5.2)
  })
})
