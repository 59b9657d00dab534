import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { until, useSmsBench } from './sms-bench.fixture.ts'

const bench = useSmsBench()

describe('POST /sms/opt-outs', () => {
  it('200: counts the numbers that were not in the list, however they are written', async () => {
    const { key } = await bench.makeSmsReseller(0)
    const add = async (numbers: string[]) => (await bench.app.call('POST', '/sms/opt-outs', { key, body: { numbers } })).body.data
    expect(await add(['0241234567', '233241234567', '0551234567'])).toEqual({ added: 2 })
    expect(await add(['0241234567', '0201234567'])).toEqual({ added: 1 })
  })

  it('200: takes the others when a reply of one of the numbers is stored at the same time', async () => {
    const { key, accountId } = await bench.makeSmsReseller(0)
    const add = (numbers: string[]) => bench.app.call('POST', '/sms/opt-outs', { key, body: { numbers } })
    await add(['0201234567'])
    const { db, ownerDb } = bench.app.database
    const { adding } = await inTransaction(db, async (tx) => {
      await sql`insert into sms_contacts (list_id, recipient, name) values (${accountId}, '233241234567', 'STOP')`.execute(tx)
      const waiting = add(['0241234567', '0551234567'])
      await until('the one waits for the other', async () => {
        const { rows } = await sql`
          select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(ownerDb)
        return rows.length > 0
      })
      return { adding: waiting }
    })
    const { status, body } = await adding
    expect([status, body.data]).toEqual([200, { added: 1 }])
  })

  it('400: takes none of them when one is no number of Ghana', async () => {
    const reseller = await bench.makeSmsReseller(0)
    const body = { numbers: ['0241234567', '241234567'] }
    expect((await bench.app.call('POST', '/sms/opt-outs', { key: reseller.key, body })).status).toBe(400)
    expect((await bench.get(reseller, '/sms/opt-outs')).body.data.total).toBe(0)
  })
})
