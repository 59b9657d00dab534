import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { newId } from '../../../platform/database/new-id.ts'
import { createContactList } from '../contacts/contact-lists.ts'
import { saveDraft } from './drafts.ts'
import { linesOfNumbers, setUpMemberShops } from './member-shops.fixture.ts'

const { db, makeShop } = setUpMemberShops()
const actor = 'owner@example.test'

describe('contacts', () => {
  it('are read from any paste or CSV, line by line, and a dry run changes nothing', async () => {
    const shop = await makeShop()
    const { list_id } = (await shop.ask('POST', '/sms/lists', { name: 'Customers' })).body.data
    const text = [
      'Name;Phone',
      '"Ama Mensah";"+233 24 123-4567"',
      'Kofi,0201234567',
      '241234567',
      '+44 7700 900123,Jane',
      '02412345',
      'Nobody',
      '',
      '0551234567, 0551234568',
    ].join('\r\n')
    const ask = (isDryRun: boolean) => shop.ask('POST', `/sms/lists/${list_id}/import`, { text, is_dry_run: isDryRun })
    const said = {
      added: 4,
      repeated: 1,
      known: 0,
      wrong_count: 3,
      wrong: [
        { line: 5, given: '+44 7700 900123', why: 'foreign' },
        { line: 6, given: '02412345', why: 'too_short' },
        { line: 7, given: 'Nobody', why: 'not_a_number' },
      ],
    }
    expect((await ask(true)).body.data).toEqual(said)
    expect((await shop.ask('GET', `/sms/lists/${list_id}`)).body.data.contacts).toEqual([])
    expect((await ask(false)).body.data).toEqual(said)
    expect((await ask(false)).body.data).toMatchObject({ added: 0, known: 4 })
    const { contacts } = (await shop.ask('GET', `/sms/lists/${list_id}`)).body.data
    expect(contacts).toEqual([
      { number: '233201234567', name: 'Kofi' },
      { number: '233241234567', name: 'Ama Mensah' },
      { number: '233551234567', name: null },
      { number: '233551234568', name: null },
    ])
    const strange = await makeShop()
    expect((await strange.ask('GET', `/sms/lists/${list_id}`)).status).toBe(404)
    await strange.ask('DELETE', `/sms/lists/${list_id}`)
    expect((await shop.ask('DELETE', '/sms/contacts/233201234567')).body.data).toEqual({ deleted: 1 })
    await shop.ask('DELETE', `/sms/lists/${list_id}`)
    const { lists } = (await shop.ask('GET', '/sms/lists')).body.data
    expect(lists).toMatchObject([{ name: 'Opted out', contacts: 0, is_opt_out: true }])
  })

  it('that opted out are a list of their own, which the composer counts apart, and which nothing deletes', async () => {
    const shop = await makeShop()
    const list = `/sms/lists/${shop.accountId}`
    const text = '0241234567\n0551234567'
    const isStored = async () => {
      const { rows } = await sql`select from sms_lists where id = ${shop.accountId}`.execute(db())
      return rows.length > 0
    }
    expect((await shop.ask('POST', `${list}/import`, { text, is_dry_run: true })).body.data).toMatchObject({ added: 2 })
    expect(await isStored()).toBe(false)
    expect((await shop.ask('POST', `${list}/import`, { text, is_dry_run: false })).body.data).toMatchObject({ added: 2 })
    expect(await isStored()).toBe(true)
    const check = async (recipients: string) =>
      (await shop.ask('POST', '/sms/check-recipients', { recipients, list_ids: [] })).body.data
    expect(await check('0241234567, 0201234567, 0201234568')).toMatchObject({ recipients: 2, opted_out: 1, waits_until: null })
    expect(await check('0241234567')).toMatchObject({ recipients: 1, opted_out: 0 })
    await shop.ask('DELETE', list)
    await shop.ask('DELETE', '/sms/contacts/233241234567')
    expect((await shop.ask('POST', '/sms/lists', { name: 'Opted out' })).headers['x-error-reason']).toBe('list_name_taken')
    expect((await shop.ask('GET', list)).body.data.list).toMatchObject({ contacts: 2, is_opt_out: true })
    await shop.ask('DELETE', `${list}/contacts/233241234567`)
    expect((await shop.ask('GET', list)).body.data.contacts).toEqual([{ number: '233551234567', name: null }])
    const strange = await makeShop()
    expect((await strange.ask('GET', list)).status).toBe(404)
  })

  it('fill a list up to what one campaign reaches, and no further', async () => {
    const shop = await makeShop()
    const { list_id } = (await shop.ask('POST', '/sms/lists', { name: 'Many' })).body.data
    const importing = (count: number) =>
      shop.ask('POST', `/sms/lists/${list_id}/import`, { text: linesOfNumbers(count), is_dry_run: false })
    expect((await importing(10_001)).headers['x-error-reason']).toBe('list_too_long')
    expect((await importing(10_000)).body.data.added).toBe(10_000)
  })
})

describe('a text', () => {
  it('names every character that makes it cost more, with what may stand in its place', async () => {
    const shop = await makeShop()
    const text = `It’s ready – ${'a'.repeat(80)} 😀`
    expect((await shop.ask('POST', '/sms/check-text', { message: text })).body.data).toEqual({
      encoding: 'ucs2',
      segments: 2,
      unusual: [
        { character: '’', replacement: "'" },
        { character: '–', replacement: '-' },
        { character: '😀', replacement: '' },
      ],
      plain_segments: 1,
      blocked_because: null,
    })
  })

  it('is kept as a draft under the page’s own id, for its account alone', async () => {
    const [shop, strange] = [await makeShop(), await makeShop()]
    const draft = { message: 'Not yet, {name}', recipients: '0241234567', list_ids: [], name_fallback: 'customer' }
    const path = `/sms/drafts/${newId()}`
    await shop.ask('PUT', path, draft)
    await shop.ask('PUT', path, { ...draft, message: 'Almost' })
    expect((await strange.ask('PUT', path, draft)).status).toBe(404)
    await strange.ask('DELETE', path)
    expect((await shop.ask('GET', '/sms/drafts')).body.data.drafts).toMatchObject([
      { message: 'Almost', name_fallback: 'customer' },
    ])
    await shop.ask('DELETE', path)
    expect((await shop.ask('GET', '/sms/drafts')).body.data.drafts).toEqual([])
  })

  it('is one of fifty drafts, and a list one of a hundred, however many are kept at once', async () => {
    const { accountId } = await makeShop(0)
    await sql`
      insert into sms_drafts (id, account_id, message, recipients, list_ids, updated_by)
      select gen_random_uuid(), ${accountId}, '', '', '{}', 'test' from generate_series(1, 49)`.execute(db())
    await sql`
      insert into sms_lists (id, account_id, name)
      select gen_random_uuid(), ${accountId}, n::text from generate_series(1, 99) as n`.execute(db())
    const draft = { accountId, message: '', recipients: '', listIds: [], sender: null, nameFallback: null, actor }
    const eight = Array.from({ length: 8 }, () => newId())
    const kept = await Promise.allSettled(eight.map((draftId) => saveDraft(db(), { ...draft, draftId })))
    const made = await Promise.allSettled(eight.map((name) => createContactList(db(), accountId, name)))
    for (const all of [kept, made]) expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })
})
