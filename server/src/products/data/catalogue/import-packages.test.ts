import { Readable } from 'node:stream'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../../test/test-database.ts'
import { exportPackages } from './export-packages.ts'
import { importPackages, PackageFileError } from './import-packages.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
  await database.db
    .insertInto('suppliers')
    .values([
      { name: 'north', adapter: 'hubtel', settings: '{}' },
      { name: 'south', adapter: 'hubtel', settings: '{}' },
      { name: 'datamart', adapter: 'datamart', settings: '{}' },
      { name: 'datakazina', adapter: 'datakazina', settings: '{}' },
      { name: 'gigabytes', adapter: 'datakazina', settings: '{"sharedBundleUnit":"GB"}' },
    ])
    .execute()
})
afterAll(() => database.drop())
beforeEach(async () => {
  await database.db.deleteFrom('package_offers').execute()
  await database.db.deleteFrom('packages').execute()
  await sql`update alarms set cleared_at = now() where cleared_at is null`.execute(database.db)
})

function importText(text: string, isBelowCostAllowed = false) {
  return importPackages(database.db, { file: Readable.from([Buffer.from(text)]), isBelowCostAllowed, actor: 'test' })
}

async function problemsOf(text: string): Promise<string[]> {
  const failure: unknown = await importText(text).catch((error: unknown) => error)
  if (!(failure instanceof PackageFileError)) throw failure
  return failure.problems.map(({ line, message }) => `${line}: ${message}`)
}

const readCatalogue = () =>
  database.db
    .selectFrom('packages')
    .leftJoin('package_offers', 'package_id', 'id')
    .select([
      'network',
      sql<number>`volume_gb::float8`.as('gb'),
      'price_customer',
      'price_agent',
      'price_dealer',
      'is_available',
      'stock',
      'supplier',
      'code',
      'cost',
    ])
    .orderBy('network')
    .orderBy('volume_gb')
    .orderBy('supplier')
    .execute()

async function catalogueVersion(): Promise<number> {
  return (await database.db.selectFrom('cache_epoch').select('catalogue_version').executeTakeFirstOrThrow()).catalogue_version
}

const header = 'network,volume_gb,price_customer,price_agent,price_dealer'

describe('a price list', () => {
  it('is imported whole, in any order of columns, with a byte order mark, blanks and CRLF', async () => {
    const text =
      '\uFEFFprice_customer,price_agent,price_dealer,network,volume_gb,stock,cost_north,code_north\r\n' +
      '4.50, 4.2 ,4,MTN,1,,3.10,mtn-1\r\n\r\n"5.00","4.70","4.60",AT-iShare,2.5,20,,\r\n'
    const before = await catalogueVersion()
    expect(await importText(text)).toEqual({ imported: 2, skipped: 0 })
    expect(await readCatalogue()).toEqual([
      {
        network: 'AT-iShare',
        gb: 2.5,
        price_customer: 500,
        price_agent: 470,
        price_dealer: 460,
        is_available: true,
        stock: 20,
        supplier: null,
        code: null,
        cost: null,
      },
      {
        network: 'MTN',
        gb: 1,
        price_customer: 450,
        price_agent: 420,
        price_dealer: 400,
        is_available: true,
        stock: null,
        supplier: 'north',
        code: 'mtn-1',
        cost: 310,
      },
    ])
    expect(await catalogueVersion()).toBe(before + 1)
  })

  it('imported again changes nothing, and what its columns leave out stays as it was', async () => {
    const full = `${header},is_available,stock,cost_north,code_north\nMTN,1,4.50,4.20,4.00,false,7,3.10,a\nMTN,2,9,8,7,,,6,b\n`
    await importText(full)
    const [before] = await database.db.selectFrom('packages').selectAll().where('volume_gb', '=', '1').execute()
    expect(await importText(full)).toEqual({ imported: 0, skipped: 2 })
    const prices = `${header},cost_south,code_south\nMTN,1,4.60,4.20,4.00,3.20,s\nMTN,2,9,8,7,,\n`
    expect(await importText(prices)).toEqual({ imported: 1, skipped: 1 })
    const [after] = await database.db.selectFrom('packages').selectAll().where('volume_gb', '=', '1').execute()
    expect(after).toEqual({ ...before, price_customer: 460 })
    expect((await readCatalogue()).map((row) => [row.gb, row.supplier, row.code])).toEqual([
      [1, 'north', 'a'],
      [1, 'south', 's'],
      [2, 'north', 'b'],
    ])
  })

  it('is exported in the form that is imported, and comes back unchanged', async () => {
    await importText(
      `${header},is_available,stock,cost_north,code_north,cost_south,code_south\n` +
        'MTN,1,4.50,4.20,4.00,false,7,3.10,"a, ""b""",3.20,s\nAT-iShare,2.5,9.05,8,7,true,,,,6,=1+1\n',
    )
    const before = await readCatalogue()
    const { text, count } = await exportPackages(database.db)
    expect(count).toBe(2)
    expect(text.split('\r\n').slice(0, 3)).toEqual([
      `${header},is_available,stock,cost_north,code_north,cost_south,code_south`,
      'MTN,1,4.50,4.20,4.00,false,7,3.10,"a, ""b""",3.20,s',
      "AT-iShare,2.5,9.05,8.00,7.00,true,,,,6.00,'=1+1",
    ])
    expect(await importText(text)).toEqual({ imported: 0, skipped: 2 })
    expect(await readCatalogue()).toEqual(before)
  })

  it('takes a supplier’s offer away where its cells are empty', async () => {
    await importText(`${header},cost_north,code_north\nMTN,1,4.50,4.20,4.00,3.10,a\n`)
    expect(await importText(`${header},cost_north,code_north\nMTN,1,4.50,4.20,4.00,,\n`)).toEqual({ imported: 1, skipped: 0 })
    expect((await readCatalogue()).map((row) => row.supplier)).toEqual([null])
  })

  it('with bad rows is refused with the line of each, and nothing of it is imported', async () => {
    const text = [
      `${header},is_available,stock,cost_north,code_north`,
      'MTN,1,4.50,4.20,4.00,true,,3.10,a',
      'MTN,0,4.50,4.20,4.00,true,,3.10,a',
      'MTN,2,free,4.20,4.001,true,,3.10,a',
      'MTN,3,4.50,4.20,4.00,perhaps,-1,3.10,a',
      'MTN,4,4.50,4.20',
      'MTN,1.0,4.50,4.20,4.00,true,,3.10,a',
      ',5,4.50,4.20,4.00,true,,3.10,',
      'MTN,6,0,-1,1e3,true,,,c',
    ].join('\n')
    expect(await problemsOf(text)).toEqual([
      '3: volume_gb must be a number above 0 with at most 3 decimals, not "0"',
      '4: price_customer must be an amount in GHS above 0 such as 4.50, not "free"',
      '4: price_dealer must be an amount in GHS above 0 such as 4.50, not "4.001"',
      '5: is_available must be true or false, not "perhaps"',
      '5: stock must be a whole number, or empty for unlimited, not "-1"',
      '6: has 4 cells instead of 9',
      '7: MTN 1GB stands there already, in line 2',
      '8: network is missing',
      '8: code_north is missing beside its cost',
      '9: price_customer must be an amount in GHS above 0 such as 4.50, not "0"',
      '9: price_agent must be an amount in GHS above 0 such as 4.50, not "-1"',
      '9: price_dealer must be an amount in GHS above 0 such as 4.50, not "1e3"',
      '9: cost_north must be an amount in GHS above 0 such as 4.50, not ""',
    ])
    expect(await readCatalogue()).toEqual([])
  })

  it.each([
    ['', '1: the file is empty'],
    ['network,volume_gb\n', '1: the column price_customer is missing'],
    [`${header},price_agnt\n`, '1: the column "price_agnt" is not known'],
    [`${header},cost_north\n`, '1: the column cost_north needs code_north beside it'],
    [`${header},stock,stock\n`, '1: the column stock stands there twice'],
    [
      `${header},cost_west,code_west\nMTN,1,4,4,4,3,a\n`,
      '2: there is no supplier west; known: datakazina, datamart, gigabytes, north, south',
    ],
    [`${header}\nVodafone,1,4,4,4\n`, '2: network "Vodafone" is not one of MTN, Telecel, AT-iShare, AT-BigTime'],
    [`${header}\n"MTN,1,4,4,4\n`, 'Quote Not Closed'],
  ])('that is no price list is refused with what is wrong: %j', async (text, problem) => {
    expect(await problemsOf(text)).toContainEqual(expect.stringContaining(problem))
  })

  it('with a code that its supplier would refuse, or take for another bundle, is refused with the line', async () => {
    const wanted = 'MTN,1,4.50,4.20,4.00'
    const columns = ['datamart', 'datakazina', 'gigabytes'].map((supplier) => `cost_${supplier},code_${supplier}`).join(',')
    const row = (...codes: string[]) => [wanted, ...codes.map((code) => (code === '' ? ',' : `3.10,${code}`))].join(',')
    const right = [`${header},${columns}`, row('1', '1000', '1')].join('\n')
    expect(await importText(right)).toEqual({ imported: 1, skipped: 0 })
    const wrong = [
      `${header},${columns}`,
      row('1GB', '', ''),
      row('2', '1', '1000').replace('MTN,1', 'Telecel,1'),
      row('1', '', '').replace('MTN,1', 'AT-BigTime,1'),
    ].join('\n')
    expect(await problemsOf(wrong)).toEqual([
      '2: MTN 1GB at datamart: the code 1GB is not the capacity 1, which DataMart counts in GB',
      '3: Telecel 1GB at datakazina: the code 1 is not 1 GB in MB, which is 1000',
      '3: Telecel 1GB at datamart: the code 2 is not the capacity 1, which DataMart counts in GB',
      '3: Telecel 1GB at gigabytes: the code 1000 is not 1 GB in GB, which is 1',
      '4: AT-BigTime 1GB at datamart: no word is configured for the network AT-BigTime',
    ])
  })

  it('with a price below any supplier’s cost is refused, unless the operator insists', async () => {
    const below = `${header},cost_north,code_north\nMTN,1,4.50,4.20,3.09,3.10,a\nMTN,2,9,9,9,9,b\n`
    const version = await catalogueVersion()
    expect(await problemsOf(below)).toEqual(['2: MTN 1GB: the dealer price GHS 3.09 is below what north asks, GHS 3.10'])
    expect(await readCatalogue()).toEqual([])
    expect(await catalogueVersion()).toBe(version)
    expect(await importText(below, true)).toEqual({ imported: 2, skipped: 0 })
  })

  it('below cost that the operator insists on raises an alarm with package, supplier and loss, until it is mended', async () => {
    const list = (dealer: string) =>
      `${header},cost_north,code_north,cost_south,code_south\nMTN,1,4.50,4.20,${dealer},4.25,a,3.00,b\n`
    const alarms = () =>
      database.db.selectFrom('alarms').select(['name', 'subject', 'message']).where('cleared_at', 'is', null).execute()
    await importText(list('4.00'), true)
    expect(await alarms()).toEqual([
      {
        name: 'sold_below_cost',
        subject: 'MTN 1GB north',
        message: 'MTN 1GB: the dealer price GHS 4.00 is below what north asks, GHS 4.25: a loss of GHS 0.25 on each.',
      },
    ])
    await importText(list('4.10'), true)
    expect(await alarms()).toMatchObject([{ message: expect.stringContaining('a loss of GHS 0.15') }])
    await importText(`${header},cost_north,code_north\nMTN,1,4.50,4.20,4.00,,\n`)
    expect(await alarms()).toEqual([])
  })

  it('is held against costs that are stored already, too', async () => {
    await importText(`${header},cost_south,code_south\nMTN,1,4.50,4.20,4.00,3.90,a\n`)
    expect(await problemsOf(`${header}\nMTN,1,4.50,4.20,3.80\n`)).toEqual([
      '2: MTN 1GB: the dealer price GHS 3.80 is below what south asks, GHS 3.90',
    ])
  })

  it('imported by several people at once ends as one of theirs', async () => {
    const list = (price: string) =>
      `${header}\n${Array.from({ length: 30 }, (_, index) => `MTN,${index + 1},${price},${price},${price}`).join('\n')}\n`
    await importText(list('5.00'))
    await Promise.all(['6.00', '7.00', '8.00', '9.00'].map((price) => importText(list(price))))
    expect(new Set((await readCatalogue()).map((row) => row.price_customer)).size).toBe(1)
  })
})
