import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { untilTrue } from '../../test/patience.ts'
import { setUpCommandLine } from '../../test/set-up-command-line.ts'
import { allCommands } from '../all-commands.ts'
import { belongsToNetwork, openNumberPlan } from '../networks/number-plan.ts'
import { setPortedNumber } from '../networks/write-number-plan.ts'
import { type Epoch, watchEpoch } from '../platform/database/epoch.ts'
import { inTransaction } from '../platform/database/in-transaction.ts'

const desk = setUpCommandLine(allCommands)
const { json, run } = desk

let epoch: Epoch
let readPlan: ReturnType<typeof openNumberPlan>
beforeAll(async () => {
  epoch = await watchEpoch(desk.db)
  readPlan = openNumberPlan(desk.db, epoch)
})
afterAll(() => epoch.stop())

/** Waits until a running process, such as an API, sees the change. */
async function expectBelongs(number: string, networks: Record<string, boolean>): Promise<void> {
  const names = Object.keys(networks)
  const seen = async () => {
    const plan = await readPlan()
    return Object.fromEntries(names.map((name) => [name, belongsToNetwork(plan, number, name)]))
  }
  await expect.poll(seen).toEqual(networks)
}

const logged = () =>
  desk.db.selectFrom('operator_log').select(['action', 'subject', 'details']).orderBy('id', 'desc').executeTakeFirstOrThrow()

describe('makola prefix', () => {
  it('lists the prefixes that the contract names', async () => {
    const { prefixes } = await json('prefix', 'list')
    expect(prefixes).toMatchObject({ '024': ['MTN'], '020': ['Telecel'], '026': ['AT', 'AT-BigTime', 'AT-iShare'] })
  })

  it('adds a prefix and takes it away, for running processes too, and logs both', async () => {
    await expectBelongs('0281234567', { MTN: false })
    expect(await json('prefix', 'add', '028', 'MTN')).toMatchObject({ prefixes: { '028': ['MTN'] } })
    await expectBelongs('0281234567', { MTN: true, Telecel: false })
    expect(await logged()).toEqual({ action: 'prefix add', subject: '028', details: { before: [], after: ['MTN'] } })
    const { prefixes } = await json('prefix', 'remove', '028', 'MTN')
    expect(prefixes).not.toHaveProperty('028')
    await expectBelongs('0281234567', { MTN: false })
    expect(await logged()).toEqual({ action: 'prefix remove', subject: '028', details: { before: ['MTN'], after: [] } })
  })

  it('takes an operator for all its networks, and one network for itself', async () => {
    expect(await json('prefix', 'add', '028', 'AT')).toMatchObject({ prefixes: { '028': ['AT', 'AT-BigTime', 'AT-iShare'] } })
    await expectBelongs('0281234567', { AT: true, 'AT-iShare': true, 'AT-BigTime': true })
    await json('prefix', 'remove', '028', 'AT-BigTime')
    await expectBelongs('0281234567', { AT: true, 'AT-iShare': true, 'AT-BigTime': false })
    await json('prefix', 'remove', '028', 'AT')
  })

  it('adds what is there already without a line in the log', async () => {
    const before = await logged()
    expect(await json('prefix', 'add', '024', 'MTN')).toMatchObject({ prefixes: { '024': ['MTN'] } })
    expect(await logged()).toEqual(before)
  })

  it.each([
    [2, 'A prefix must be 3 digits starting with 0', ['add', '24', 'MTN']],
    [1, 'There is no network "Glo"; there is: AT, AT-BigTime, AT-iShare, MTN, Telecel.', ['add', '023', 'Glo']],
    [1, 'The prefix 020 is not one of MTN.', ['remove', '020', 'MTN']],
  ])('refuses with %i: %s', async (exitCode, text, words) => {
    expect(await run('prefix', ...words)).toMatchObject({ exitCode, stderr: expect.stringContaining(text) as string })
  })
})

describe('makola ported', () => {
  it('carries a number to another operator and back, for running processes too, and logs both', async () => {
    await json('ported', 'set', '0247770001', 'AT')
    await expectBelongs('0247770001', { MTN: false, AT: true, 'AT-iShare': true })
    expect(await logged()).toEqual({ action: 'ported set', subject: '0247770001', details: { before: null, after: 'AT' } })
    await json('ported', 'set', '0247770001', 'Telecel')
    await expectBelongs('0247770001', { Telecel: true, AT: false })
    expect(await json('ported', 'list')).toMatchObject({ numbers: [{ number: '0247770001', network: 'Telecel' }] })
    await json('ported', 'remove', '0247770001')
    await expectBelongs('0247770001', { MTN: true, Telecel: false })
    expect(await logged()).toEqual({
      action: 'ported remove',
      subject: '0247770001',
      details: { before: 'Telecel', after: null },
    })
    expect(await json('ported', 'list')).toEqual({ numbers: [] })
  })

  it('logs what a change replaced, also of two at once', async () => {
    const number = '0247770002'
    const isWaiting = async () => {
      const { rows } = await sql`
        select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(desk.db)
      return rows.length > 0
    }
    const { second } = await inTransaction(desk.db, async (tx) => {
      await tx.insertInto('ported_numbers').values({ number, network: 'AT' }).execute()
      const other = setPortedNumber(desk.db, ['data'], { number, operator: 'Telecel', actor: 'ama' })
      await untilTrue(isWaiting, () => 'the second change does not wait for the first')
      return { second: other }
    })
    await second
    expect(await logged()).toMatchObject({ subject: number, details: { before: 'AT', after: 'Telecel' } })
  })

  it.each([
    [2, 'A number must be 10 digits starting with 0', ['set', '024123456', 'MTN']],
    // SMS campaigns know operators such as AT, and not their data networks.
    [1, 'There is no operator "AT-iShare"; there is: AT, MTN, Telecel.', ['set', '0241234567', 'AT-iShare']],
    [1, 'The number 0241234567 is not noted', ['remove', '0241234567']],
  ])('refuses with %i: %s', async (exitCode, text, words) => {
    expect(await run('ported', ...words)).toMatchObject({ exitCode, stderr: expect.stringContaining(text) as string })
  })
})
