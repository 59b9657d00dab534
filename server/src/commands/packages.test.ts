import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { setUpCommandLine } from '../../test/set-up-command-line.ts'
import { closeOffer } from '../products/data/close-offer.ts'
import { registerPackagesCommand } from './packages.ts'
import { registerSupplierCommand } from './supplier.ts'

const desk = setUpCommandLine([registerPackagesCommand, registerSupplierCommand], {
  SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
})
const { run, json } = desk
const header =
  'network,volume_gb,price_customer,price_agent,price_dealer,cost_datamart,code_datamart,cost_datakazina,code_datakazina'

async function importList(...lines: string[]) {
  const file = join(desk.folder, 'prices.csv')
  await writeFile(file, [header, ...lines, ''].join('\n'))
  return file
}

beforeAll(async () => {
  await json('packages', 'import', await importList('MTN,1,4.50,4.20,4.00,3.10,1,3.20,1000', 'MTN,2,9.00,8.40,8.00,,,6.40,2000'))
})

describe('offers', () => {
  it('are listed with what closed them, and reopened by name', async () => {
    const { id } = await desk.db.selectFrom('packages').select('id').where('volume_gb', '=', '1').executeTakeFirstOrThrow()
    expect(await json('packages', 'offers', '--closed')).toEqual({ offers: [] })
    await closeOffer(desk.db, { packageId: id, supplier: 'datakazina', code: '1000', because: 'no such bundle' })
    const closed = { network: 'MTN', volume_gb: 1, supplier: 'datakazina', code: '1000', cost: 3.2 }
    expect(await json('packages', 'offers', '--closed')).toEqual({
      offers: [{ ...closed, closed_at: expect.stringMatching(/Z$/), closed_because: 'no such bundle' }],
    })
    expect((await json('packages', 'offers')) as { offers: unknown[] }).toMatchObject({ offers: { length: 3 } })
    expect((await run('packages', 'offers')).stdout).toMatch(/MTN 1GB {2}datakazina.*CLOSED at .*no such bundle/)
    const reopened = { network: 'MTN', volume_gb: 1, supplier: 'datakazina', reopened: true }
    expect(await json('packages', 'reopen', 'MTN', '1', 'datakazina')).toEqual(reopened)
    expect(await json('packages', 'reopen', 'MTN', '1', 'datakazina')).toEqual({ ...reopened, reopened: false })
    expect(await json('packages', 'offers', '--closed')).toEqual({ offers: [] })
  })

  it('that are not there are not reopened, and a volume is a number', async () => {
    const missing = await run('packages', 'reopen', 'MTN', '2', 'datamart')
    expect([missing.exitCode, missing.stderr]).toEqual([1, expect.stringContaining('no such offer')])
    expect((await run('packages', 'reopen', 'MTN', 'one', 'datamart')).exitCode).toBe(2)
  })
})

describe('codes', () => {
  it('that a supplier would refuse are refused with their line', async () => {
    const { exitCode, stderr } = await run('packages', 'import', await importList('MTN,1,4.50,4.20,4.00,3.10,1,3.20,1'))
    expect(exitCode).toBe(1)
    expect(stderr).toContain('line 2: MTN 1GB at datakazina: the code 1 is not 1 GB in MB, which is 1000')
  })

  it('that fit no longer after a change of settings are shown with their supplier', async () => {
    const faulty = { network: 'MTN', volume_gb: 1, code: '1000', problem: 'the code 1000 is not 1 GB in GB, which is 1' }
    const changed = await json('supplier', 'set', 'datakazina', 'settings.sharedBundleUnit="GB"')
    expect(changed).toMatchObject({ suppliers: [{ name: 'datakazina', faulty_codes: [faulty, { volume_gb: 2 }] }] })
    expect((await run('supplier', 'list')).stdout).toContain('WRONG CODE    MTN 1GB: the code 1000')
    const mended = await json('supplier', 'set', 'datakazina', 'settings.sharedBundleUnit="MB"')
    expect(mended).toMatchObject({ suppliers: [{ faulty_codes: [] }] })
  })

  it('are held to the capacities that DataMart sells, where the operator lists them', async () => {
    await json('supplier', 'set', 'datamart', 'settings.capacities=[2,5]')
    const { suppliers } = (await json('supplier', 'list')) as { suppliers: { name: string; faulty_codes: unknown[] }[] }
    expect(suppliers.find(({ name }) => name === 'datamart')?.faulty_codes).toMatchObject([
      { volume_gb: 1, problem: 'the capacity 1 is not one of those in settings.capacities (2, 5)' },
    ])
  })
})
