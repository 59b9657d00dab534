import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { explainStatements } from '../test/running/explain-statements.ts'
import { createTestDatabase, type TestDatabase } from '../test/test-database.ts'
import { allFinders, readSearchText } from './all-finders.ts'
import { readLiveMarks } from './desk/live/read-live-marks.ts'
import { readNeeds } from './desk/needs/read-needs.ts'
import { makeManyThings } from './many-things.fixture.ts'
import { numbered } from './orders/queries/many-orders.fixture.ts'
import { permissionsOfStaff } from './people/permissions/staff-permissions.ts'
import type { Db } from './platform/database/database.ts'
import { findEverywhere } from './platform/finding/finder.ts'
import { parseSecretsKeys } from './platform/secrets/secrets-keys.ts'

let database: TestDatabase
const secretsKeys = parseSecretsKeys(Buffer.alloc(32, 1).toString('base64'), 'SECRETS_KEY')

beforeAll(async () => {
  database = await createTestDatabase()
  await makeManyThings(database.ownerDb)
  await database.ownerDb.updateTable('accounts').set({ name: 'Ɛsɛnam Mensah' }).where('id', '=', numbered(8)).execute()
})
afterAll(() => database.drop())

/** Small tables, which PostgreSQL may read as a whole: at most a few rows, or one for each account. */
const smallTables = new Set(['suppliers', 'voucher_types', 'account_notice_settings'])

const sequences = ['order_events_event_no_seq', 'attempt_answers_answer_no_seq']

/** The most rows that all needs may read: one or two hundred for each kind, and the account of each. */
const deskRowsMax = 5_000

/** The most rows that a search may read: eleven of each kind that fit, and the rows to which they refer. */
const rowsMax = 500

describe('among tens of thousands of each thing', () => {
  it.each([
    ['a phone number', { text: '0240007919', phoneNumber: '0240007919', recipients: ['0240007919', '233240007919'] }, ['order']],
    ['a reference', { text: 'ref-7' }, []],
    ['an account’s own reference', { text: 'own-7' }, []],
    ['a supplier’s reference', { text: 'sup-nobody' }, []],
    ['a line of a statement', { text: 'line-7' }, ['statement line']],
    ['an e-mail', { text: 'shop-7@example.test' }, ['account']],
    ['a part of a name', { text: 'shop 77' }, ['account']],
    ['a name typed without its letters', { text: 'esenam' }, ['account']],
    ['an amount', { text: '1.00', amountPesewas: 100 }, ['top-up']],
    ['an amount that nobody paid', { text: '77.77', amountPesewas: 7_777 }, []],
    ['the end of a key', { text: 'xx7f' }, ['key']],
    ['a whole key', { text: 'makola_live_abcdefghijkmnpqr' }, []],
    ['a receipt of the command line', { text: 'receipt-7' }, ['credit']],
    ['a receipt of the desk', { text: 'receipt 8' }, ['credit']],
    ['the receipt of a credit that waits', { text: 'bank slip-9' }, ['proposal']],
    ['the number of a transfer', { text: 'momo-7' }, ['top-up']],
    ['a move of commission', { text: 'move-7' }, ['commission move']],
    ['an id', { text: numbered(7), id: numbered(7) }, ['account']],
    ['a supplier’s id of a text', { text: 'key7' }, ['message']],
    ['a serial number', { text: 'SERIAL-1' }, []],
    ['a text that nothing has', { text: 'nothing' }, []],
  ])('%s is looked for through indexes alone', async (_what, wanted, expected) => {
    const whole = { id: undefined, phoneNumber: undefined, amountPesewas: undefined, recipients: [wanted.text], ...wanted }
    let types: string[] = []
    const scans = await explainStatements(database.applicationUrl, async (db) => {
      types = (await findEverywhere({ db, secretsKeys }, allFinders, whole)).matches.map((match) => match.type)
    })
    expect(types).toEqual(expect.arrayContaining(expected))
    // An empty partition of a table is read as a whole.
    expect(scans.filter(({ type, table, rows }) => type === 'Seq Scan' && rows > 0 && !smallTables.has(table))).toEqual([])
    expect(scans.reduce((sum, { rows }) => sum + rows, 0)).toBeLessThan(rowsMax)
  })

  it.each([
    ['has changed, once a second', (db: Db) => readLiveMarks(db)],
    ['needs somebody', (db: Db) => readNeeds(db, permissionsOfStaff('owner'), { by: 'kofi', mayConfirm: ['wallet credit'] })],
  ])('what the desk must know %s, is read through indexes alone', async (_what, read) => {
    const scans = await explainStatements(database.applicationUrl, read)
    const small = new Set([...smallTables, 'routes', 'cache_epoch', 'report_progress', ...sequences])
    expect(scans.filter(({ type, table, rows }) => type === 'Seq Scan' && rows > 0 && !small.has(table))).toEqual([])
    expect(scans.reduce((sum, { rows }) => sum + rows, 0)).toBeLessThan(deskRowsMax)
  })
})

describe('what somebody typed', () => {
  it.each([
    ['12.50', 1_250],
    ['GHS 1,250.00', 125_000],
    ['ghs1 250', 125_000],
    ['−7.77', 777],
    ['250', 25_000],
    ['12,50', undefined],
    ['1.250', undefined],
    ['0', undefined],
    ['024 123 4567', undefined],
    ['receipt 2041', undefined],
  ])('%s is the amount %s', (typed, pesewas) => {
    expect(readSearchText(typed).amountPesewas).toBe(pesewas)
  })
})
