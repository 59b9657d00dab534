import { Readable } from 'node:stream'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { mustPassAudit } from '../../../test/must-pass-audit.ts'
import { createTestDatabase, type TestDatabase } from '../../../test/test-database.ts'
import { pesewas } from '../../money/pesewas.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { newId } from '../../platform/database/new-id.ts'
import { parseSecretsKeys } from '../../platform/secrets/secrets-keys.ts'
import { type ImportedVouchers, importVouchers, VoucherFileError } from './import-vouchers.ts'
import { listVoucherPace } from './list-voucher-pace.ts'
import { findVoucherType, listVoucherStock, type VoucherTypeRow } from './list-voucher-stock.ts'
import { lowStockAlarm, raiseLowStockAlarms } from './raise-low-stock-alarms.ts'
import { unsealVoucher } from './seal-voucher.ts'
import { stockVouchers } from './stock-vouchers.fixture.ts'
import { takeVouchersOffSale, VoucherTypeError, writeVoucherType } from './write-voucher-type.ts'

const oldKey = Buffer.alloc(32, 1).toString('base64')
const newKey = Buffer.alloc(32, 2).toString('base64')
const keys = parseSecretsKeys(oldKey, 'SECRETS_KEY')

let database: TestDatabase
let type: VoucherTypeRow
beforeAll(async () => {
  database = await createTestDatabase()
})
beforeEach(async () => {
  const { name } = await stockVouchers(database.db, keys, 0)
  type = (await findVoucherType(database.db, name.toUpperCase())) as VoucherTypeRow
})
afterEach(async () => {
  // After each test the stock must add up. The next test uses other vouchers.
  await mustPassAudit(database.db)
  await sql`truncate vouchers`.execute(database.ownerDb)
  await sql`update voucher_types set available_count = 0`.execute(database.db)
})
afterAll(() => database.drop())

function importText(text: string | Buffer, more: { isDryRun?: boolean; keys?: typeof keys } = {}): Promise<ImportedVouchers> {
  const file = Readable.from([Buffer.from(text)])
  return importVouchers(database.db, more.keys ?? keys, { type, file, isDryRun: more.isDryRun ?? false, actor: 'test' })
}

async function problemsOf(text: string | Buffer) {
  const failure: unknown = await importText(text).catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(VoucherFileError)
  return (failure as VoucherFileError).problems
}

async function stock() {
  const rows = await database.db.selectFrom('vouchers').selectAll().where('type_id', '=', type.id).orderBy('id').execute()
  const counted = (await listVoucherStock(database.db)).find((row) => row.id === type.id)
  expect(counted?.available_count).toBe(rows.length)
  return rows.map((row) => unsealVoucher(keys, row))
}

describe('an import of vouchers', () => {
  it.each([
    ['pin,serial_number', 'P1,S1'],
    ['PIN,Serial Number', 'P1,S1'],
    ['Serial No.,PIN Code', 'S1,P1'],
    ['S/N,Pin', 'S1,P1'],
    ['no,serial,pin,batch', '1,S1,P1,7'],
    ['\ufeffpin , serial', ' P1 , S1 '],
  ])('understands the header %s', async (header, row) => {
    expect(await importText(`${header}\r\n${row}\r\n`)).toMatchObject({ imported: 1, skipped: 0 })
    expect(await stock()).toEqual([{ pin: 'P1', serialNumber: 'S1' }])
  })

  it('takes any printable text, and gives it back as it was', async () => {
    const odd = [
      ['0012', '=1+1'],
      ['a,b', 'say "hi"'],
      ['Ɛɔ ₵ 😀', 'línea'],
      ['p;q\u00a0r', 's'.repeat(200)],
    ]
    const quote = (text = '') => `"${text.replaceAll('"', '""')}"`
    await importText(['pin,serial', ...odd.map(([pin, serial]) => `${quote(pin)},${quote(serial)}`)].join('\n'))
    expect(await stock()).toEqual(odd.map(([pin, serialNumber]) => ({ pin, serialNumber })))
  })

  it.each([
    ['CRLF', 'pin,serial\r\nP1,S1\r\nP2,S2\r\n'],
    ['CR', 'pin,serial\rP1,S1\rP2,S2\r'],
    ['CRLF, then LF', 'pin,serial\r\nP1,S1\nP2,S2\n'],
    ['LF, then CRLF', 'pin,serial\nP1,S1\r\nP2,S2'],
  ])('takes lines that end in %s', async (_, text) => {
    expect(await importText(text)).toMatchObject({ imported: 2, skipped: 0 })
    expect(await stock()).toEqual([
      { pin: 'P1', serialNumber: 'S1' },
      { pin: 'P2', serialNumber: 'S2' },
    ])
    expect(await problemsOf(`${text.trimEnd()}\n,S3`)).toEqual([{ line: 4, message: 'the PIN is missing' }])
  })

  it('skips what is known already, in the same file or from before, in stock or sold', async () => {
    expect(await importText('pin,serial\nP1,S1\nP2,S2\nP1,S1\n')).toMatchObject({ imported: 2, skipped: 1 })
    expect(await importText('pin,serial\nP2,S2\nP3,S3\n')).toMatchObject({ imported: 1, skipped: 1 })
    expect(await stock()).toHaveLength(3)
  })

  it('takes no voucher that is in stock as one of another type; a PIN or a serial number alone may be there', async () => {
    await importText('pin,serial\nP1,S1\nP2,S2\n')
    const other = await stockVouchers(database.db, keys, 0)
    type = (await findVoucherType(database.db, other.typeId)) as VoucherTypeRow
    const both = parseSecretsKeys(`${newKey},${oldKey}`, 'SECRETS_KEY')
    for (const given of [keys, both]) {
      const failure: unknown = await importText('pin,serial\nP3,S3\nP2,S2\n', { keys: given }).catch((error: unknown) => error)
      expect(failure).toMatchObject({ problems: [{ line: 3, message: 'is known already as a voucher of another type' }] })
    }
    expect(await stock()).toEqual([])
    expect(await importText('pin,serial\nP1,S2\nP2,S1\n')).toMatchObject({ imported: 2, skipped: 0 })
  })

  it('names every bad row by its line, repeats nothing of it, and keeps nothing', async () => {
    const problems = await problemsOf(
      ['pin,serial', 'P1,S1', ',S2', 'P3,', 'P4', `${'p'.repeat(201)},S5`, 'P\u0007,S6', 'P1,S7', 'P8,S1', 'P9,S9'].join('\n'),
    )
    expect(problems).toEqual([
      { line: 3, message: 'the PIN is missing' },
      { line: 4, message: 'the serial number is missing' },
      { line: 5, message: 'the serial number is missing' },
      { line: 6, message: 'the PIN has more than 200 characters' },
      { line: 7, message: 'the PIN holds characters that cannot be printed' },
      { line: 8, message: 'its PIN is known already with another serial number' },
      { line: 9, message: 'its serial number is known already with another PIN' },
    ])
    expect(new VoucherFileError(problems).message).toMatch(/^Nothing was imported\. line 3: the PIN is missing; /)
    expect(await stock()).toEqual([])
  })

  it.each([
    ['', 'the file is empty'],
    ['pin\nP1', 'the first line must name the columns'],
    ['P1,S1\nP2,S2', 'the first line must name the columns'],
    ['pin,pin code,serial\nP1,P2,S1', 'more than one column'],
    [`pin,serial\n"${'x'.repeat(20_000)}`, 'is no CSV'],
    [Buffer.from([...Buffer.from('pin,serial\n'), 0xff, 0x2c, 0x41]), 'cannot be printed'],
  ])('refuses a file that cannot be understood: %j', async (text, why) => {
    const problems = await problemsOf(text)
    expect(problems).toHaveLength(1)
    expect(problems[0]?.message).toContain(why)
  })

  it('keeps nothing in a dry run and says what it would do', async () => {
    expect(await importText('pin,serial\nP1,S1\nP1,S1\n', { isDryRun: true })).toMatchObject({ imported: 1, skipped: 1 })
    expect(await stock()).toEqual([])
  })

  it('knows vouchers again that were hashed with an older key', async () => {
    await importText('pin,serial\nP1,S1\n')
    const both = parseSecretsKeys(`${newKey},${oldKey}`, 'SECRETS_KEY')
    expect(await importText('pin,serial\nP1,S1\nP2,S2\n', { keys: both })).toMatchObject({ imported: 1, skipped: 1 })
    const failure: unknown = await importText('pin,serial\nP1,S3\n', { keys: both }).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(VoucherFileError)
  })

  it('of several that race brings each voucher in once', async () => {
    const text = ['pin,serial', ...Array.from({ length: 50 }, (_, index) => `P${index},S${index}`)].join('\n')
    const results = await Promise.all(Array.from({ length: 4 }, () => importText(text)))
    expect(results.reduce((sum, result) => sum + result.imported, 0)).toBe(50)
    expect(await stock()).toHaveLength(50)
  })

  it('streams a large file, telling how far it is', async () => {
    const rows = 5_000
    async function* file() {
      yield 'pin,serial\n'
      for (let index = 0; index < rows; index += 1) yield `PIN${index},SERIAL${index}\n`
    }
    const shown: number[] = []
    const result = await importVouchers(database.db, keys, {
      type,
      file: Readable.from(file()),
      isDryRun: false,
      actor: 'test',
      onProgress: (count) => shown.push(count),
    })
    expect(result).toMatchObject({ imported: rows, skipped: 0 })
    expect(shown).toEqual(Array.from({ length: rows / 500 }, (_, index) => (index + 1) * 500))
  })
})

describe('a voucher type', () => {
  it('is made with all three prices and changed in parts, its name the same whatever its case', async () => {
    await expect(writeVoucherType(database.db, { name: 'Shs Placement' }, 'test')).rejects.toThrow(VoucherTypeError)
    const prices = { priceCustomer: pesewas(1_000), priceAgent: pesewas(900), priceDealer: pesewas(800) }
    const made = await writeVoucherType(database.db, { name: 'Shs Placement', ...prices }, 'test')
    const changed = await writeVoucherType(
      database.db,
      { name: 'SHS placement', isActive: false, priceAgent: pesewas(950) },
      'test',
    )
    expect(changed).toEqual({ ...made, is_active: false, price_agent: 950 })
  })

  it('takes no name that another type has, and only a type that is there is renamed', async () => {
    const rename = (name: string, to: string) => writeVoucherType(database.db, { name, rename: to }, 'test')
    await stockVouchers(database.db, keys, 0, { name: 'Basic' })
    await expect(rename(type.name, 'BASIC')).rejects.toThrow(new VoucherTypeError('There is a voucher type BASIC already.'))
    const prices = { priceCustomer: pesewas(1_000), priceAgent: pesewas(900), priceDealer: pesewas(800) }
    const misspelt = writeVoucherType(database.db, { name: 'Basik', rename: 'Basic 2', ...prices }, 'test')
    await expect(misspelt).rejects.toThrow(new VoucherTypeError('There is no voucher type Basik to be renamed.'))
    expect(await rename('basic', 'BASIC')).toMatchObject({ name: 'BASIC' })
  })

  it('goes off sale when history went back, if it has vouchers in stock, and the log has the reason', async () => {
    await importText('pin,serial\nP1,S1\nP2,S2')
    const taken = await inTransaction(database.db, (tx) => takeVouchersOffSale(tx, 'test'))
    expect(taken).toEqual({ voucher_types_off_sale: 1, vouchers_set_aside: 2 })
    expect(await findVoucherType(database.db, type.id)).toEqual({ ...type, is_active: false, available_count: 2 })
    const [line] = await database.db
      .selectFrom('operator_log')
      .select('details')
      .where('subject', '=', type.name)
      .orderBy('id', 'desc')
      .limit(1)
      .execute()
    expect(line?.details).toMatchObject({
      before: { is_active: true },
      after: { is_active: false },
      reason: expect.stringContaining('history went back'),
    })
  })

  it('with few vouchers left raises an alarm, which more vouchers clear', async () => {
    const log = pino({ level: 'silent' })
    const open = async () => {
      await raiseLowStockAlarms(database.db, log)
      const rows = await database.db
        .selectFrom('alarms')
        .select('subject')
        .where('name', '=', lowStockAlarm)
        .where('cleared_at', 'is', null)
        .execute()
      return rows.map(({ subject }) => subject)
    }
    expect(await open()).toContain(type.name)
    await importText(['pin,serial', ...Array.from({ length: 10 }, (_, index) => `P${index},S${index}`)].join('\n'))
    expect(await open()).not.toContain(type.name)
  })

  it('that will be sold out in less than three days is low, however many are left', async () => {
    await importText(['pin,serial', ...Array.from({ length: 52 }, (_, index) => `P${index},S${index}`)].join('\n'))
    const typed = async () => (await listVoucherPace(database.db)).find(({ name }) => name === type.name)
    expect(await typed()).toMatchObject({ left: 52, daysLeft: null, isLow: false })
    await sql`update vouchers set order_id = ${newId()}, sold_at = now()
      where id in (select id from vouchers where type_id = ${type.id} limit 40)`.execute(database.ownerDb)
    await sql`update voucher_types set available_count = 12 where id = ${type.id}`.execute(database.ownerDb)
    expect(await typed()).toMatchObject({ left: 12, daysLeft: 2.1, isLow: true })
    await raiseLowStockAlarms(database.db, pino({ level: 'silent' }))
    const alarm = database.db
      .selectFrom('alarms')
      .select('message')
      .where('subject', '=', type.name)
      .where('cleared_at', 'is', null)
    expect((await alarm.executeTakeFirst())?.message).toContain('sold out in 2.1 days')
    // They were sold with orders that do not exist, which the audit would find.
    await sql`truncate vouchers`.execute(database.ownerDb)
    await sql`update voucher_types set available_count = 0`.execute(database.db)
  })
})
