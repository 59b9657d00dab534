import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { untilTrue } from '../../test/patience.ts'
import { inTransaction } from '../platform/database/in-transaction.ts'
import { deleteUpload, uploadPartBytes } from '../reconciliation/store-upload.ts'
import { setUpSuppliersDesk } from './suppliers-desk.fixture.ts'

const desk = setUpSuppliersDesk()
const { shop, ask, writeAttempts } = desk

describe('a supplier’s statement at the desk', () => {
  const send = (uploadId: string, partNo: number, bytes: string) =>
    desk.finance.ask('PUT', `/desk/api/reconcile/uploads/${uploadId}/parts/${partNo}`, bytes, {
      'content-type': 'application/octet-stream',
    })

  it('is sent in parts, compared, and its differences are assigned and closed with a word', async () => {
    const [matched, unbilled] = await writeAttempts([
      { supplier: 'datakazina', minutesAgo: 60, outcome: 'delivered', answer: 100, delivery: 200 },
      { supplier: 'datakazina', minutesAgo: 50, outcome: 'delivered', answer: 100, delivery: 200 },
    ])
    const { accountId } = await shop.app.makeReseller()
    for (const attempt of [matched, unbilled]) {
      await sql`insert into orders (id, account_id, kind, reference, status, price, recipient, details)
        select order_id, ${accountId}, 'data', outgoing_reference, 'completed', 450, '0241234567', '{}'
        from attempts where order_id = ${attempt?.orderId}`.execute(shop.db)
    }
    const lines = [
      'Reference,Amount,Date,Note',
      `${matched?.reference},4.00,${new Date(Date.now() - 3_600_000).toISOString()},${'x'.repeat(uploadPartBytes)}`,
      `nobody-1,9.50,${new Date().toISOString()},`,
    ]
    const file = lines
      .join('\n')
      .replace('x'.repeat(uploadPartBytes), 'x'.repeat(90_000))
      .padEnd(uploadPartBytes + 100, '\n')
    const wish = { supplier: 'datakazina', file_name: 'november.csv', size: file.length }
    const begun = (await ask('POST', '/reconcile/uploads', wish, desk.finance)).data
    expect(begun).toMatchObject({ parts: 2, part_bytes: uploadPartBytes })
    const { upload_id: id } = begun
    expect((await send(id, 1, file.slice(0, uploadPartBytes))).status).toBe(200)
    const early = await ask('POST', `/reconcile/uploads/${id}/import`, {}, desk.finance)
    expect([early.status, early.message]).toEqual([409, expect.stringContaining('part of the file did not arrive')])
    expect((await send(id, 2, 'too short')).status).toBe(409)
    expect((await send(id, 2, file.slice(uploadPartBytes))).status).toBe(200)
    const imported = (await ask('POST', `/reconcile/uploads/${id}/import`, {}, desk.finance)).data
    expect(imported).toMatchObject({ is_new: true, closed_differences: 0 })
    expect((await ask('GET', `/reconcile/statements/${imported.statement_id}`)).data).toMatchObject({
      lines: 2,
      matched: 1,
      matched_amount: 4,
      theirs_only: 1,
      theirs_only_amount: 9.5,
      ours_only: 1,
      ours_only_amount: 4,
      open: 2,
      imported_by: 'finance@desk.test',
      unreadable_lines: [],
    })
    expect((await ask('POST', `/reconcile/uploads/${id}/import`, {}, desk.finance)).status).toBe(404)

    const open = (await ask('GET', '/reconcile/differences?state=open&supplier=datakazina')).data.differences
    expect(open.map(({ kind, reference }: { kind: string; reference: string }) => [kind, reference]).toSorted()).toEqual([
      ['ours_only', unbilled?.reference],
      ['theirs_only', 'nobody-1'],
    ])
    const theirs = open.find(({ kind }: { kind: string }) => kind === 'theirs_only')
    const path = `/reconcile/differences/${theirs.difference_id}`
    expect((await ask('POST', `${path}/assign`, { to: 'owner@desk.test' }, desk.finance)).data.assigned_to).toBe(
      'owner@desk.test',
    )
    const mine = await ask('GET', '/reconcile/differences?assigned_to=owner@desk.test&state=open')
    expect(mine.data.differences).toHaveLength(1)
    expect((await ask('POST', `${path}/close`, { reason: 'their test order' }, desk.finance)).data).toMatchObject({
      closed_by: 'finance@desk.test',
      close_reason: 'their test order',
    })
    expect((await ask('POST', `${path}/close`, { reason: 'once more' }, desk.finance)).status).toBe(409)
    const { data } = await ask('GET', '/reconcile/open')
    expect(data.sums).toEqual([
      { supplier: 'datakazina', kind: 'ours_only', count: 1, unassigned: 1, amount_theirs: 0, amount_ours: 4, amount_by: -4 },
    ])
    expect(data.people.map(({ email }: { email: string }) => email)).toEqual(['owner@desk.test', 'finance@desk.test'])
    const csv = await desk.owner.ask('GET', '/desk/api/reconcile/differences.csv?state=closed')
    expect(String(csv.body).split('\r\n')).toEqual([
      expect.stringMatching(/^supplier,kind,/),
      expect.stringContaining('their test order'),
      '',
    ])
  })

  it('is refused when none of its lines can be read, and says what is wrong with the first', async () => {
    const file = 'reference,amount\na,-59.00\nb,5.709\n'
    const wish = { supplier: 'datakazina', file_name: 'credit-notes.csv', size: file.length }
    const { upload_id: id } = (await ask('POST', '/reconcile/uploads', wish, desk.finance)).data
    expect((await send(id, 1, file)).status).toBe(200)
    const { status, message } = await ask('POST', `/reconcile/uploads/${id}/import`, {}, desk.finance)
    expect([status, message]).toEqual([409, expect.stringContaining('Line 2 has no amount of a charge: "-59.00"')])
    const { statements } = (await ask('GET', '/reconcile/statements')).data
    expect(statements.map(({ file_name: name }: { file_name: string }) => name)).not.toContain('credit-notes.csv')
  })

  it('takes no numbers of phones for amounts, whose sum no answer could show', async () => {
    const lines = Array.from({ length: 500 }, (_, n) => `phone-${n},233241234567`)
    const file = ['reference,amount', 'nobody-2,9.50', ...lines].join('\n')
    const wish = { supplier: 'datakazina', file_name: 'phones.csv', size: file.length }
    const { upload_id: id } = (await ask('POST', '/reconcile/uploads', wish, desk.finance)).data
    expect((await send(id, 1, file)).status).toBe(200)
    const { statement_id: statement } = (await ask('POST', `/reconcile/uploads/${id}/import`, {}, desk.finance)).data
    expect((await ask('GET', '/reconcile/open')).status).toBe(200)
    expect((await ask('GET', `/reconcile/statements/${statement}`)).data).toMatchObject({ theirs_only: 1, unreadable: 500 })
  })

  it('404: takes no part of an upload that ends at the same moment', async () => {
    const file = 'reference,amount\na,59.00\n'
    const wish = { supplier: 'datakazina', file_name: 'late.csv', size: file.length }
    const { upload_id: id } = (await ask('POST', '/reconcile/uploads', wish, desk.finance)).data
    let late: ReturnType<typeof send> | undefined
    await inTransaction(shop.db, async (tx) => {
      await deleteUpload(tx, id)
      late = send(id, 1, file)
      await untilTrue(
        async () => {
          const { rows } = await sql`
            select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(shop.db)
          return rows.length > 0
        },
        () => 'the part does not wait',
      )
    })
    expect((await late)?.status).toBe(404)
  })

  it('is refused when it is too large, and says how to go on', async () => {
    const { status, message } = await ask('POST', '/reconcile/uploads', {
      supplier: 'datamart',
      file_name: 'year.csv',
      size: 30_000_000,
    })
    expect([status, message]).toEqual([409, expect.stringContaining('at most 10 MB')])
  })
})
