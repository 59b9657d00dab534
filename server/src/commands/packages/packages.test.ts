import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { setUpCommandLine } from '../../../test/set-up-command-line.ts'
import { allCommands } from '../../all-commands.ts'
import { closeOffer } from '../../products/data/offers/close-and-reopen-offer.ts'

const desk = setUpCommandLine(allCommands, {
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
    const lines = await desk.db.selectFrom('operator_log').select('id').where('action', '=', 'packages reopen').execute()
    expect(lines).toHaveLength(1)
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

describe('makola packages import --dry-run', () => {
  const lines = ['MTN,1,4.50,4.20,4.10,3.10,1,,', 'MTN,2,9.00,8.40,8.00,,,6.40,2000', 'Telecel,1,4.40,4.10,3.90,,,3.00,1000']

  it('shows what is new, what changes from what to what, what stays, and changes nothing', async () => {
    await json('supplier', 'set', 'datamart', 'settings.capacities=[1,2]')
    const before = await json('packages', 'offers')
    const file = await importList(...lines)
    const shown = await json('packages', 'import', file, '--dry-run')
    expect(shown).toEqual({
      dry_run: true,
      new: 1,
      changed: 1,
      unchanged: 1,
      packages: [
        {
          line: 2,
          package: 'MTN 1GB',
          change: 'changed',
          columns: {
            price_dealer: { before: 4, after: 4.1 },
            cost_datakazina: { before: 3.2, after: null },
            code_datakazina: { before: '1000', after: null },
            is_closed_datakazina: { before: false, after: null },
          },
        },
        { line: 3, package: 'MTN 2GB', change: 'unchanged', columns: {} },
        {
          line: 4,
          package: 'Telecel 1GB',
          change: 'new',
          columns: {
            price_customer: { before: null, after: 4.4 },
            price_agent: { before: null, after: 4.1 },
            price_dealer: { before: null, after: 3.9 },
            is_available: { before: null, after: true },
            cost_datakazina: { before: null, after: 3 },
            code_datakazina: { before: null, after: '1000' },
            is_closed_datakazina: { before: null, after: false },
          },
        },
      ],
      not_in_file: [],
    })
    const { stdout } = await run('packages', 'import', file, '--dry-run')
    expect(stdout).toMatch(/line 2: changed {2}MTN 1GB {2}price_dealer 4 → 4.1, .*code_datakazina 1000 → none/)
    expect(stdout).toContain('Nothing was changed. 1 would be new, 1 changed, 1 are as in the file already.')
    expect(await json('packages', 'offers')).toEqual(before)
    expect(await json('packages', 'import', file)).toEqual({ imported: 2, skipped: 1 })
  })

  it('refuses what an import would refuse, and names what the file leaves alone', async () => {
    const below = await importList('MTN,1,4.50,4.20,3.00,3.10,1,,')
    const refused = await run('packages', 'import', below, '--dry-run')
    expect([refused.exitCode, refused.stderr]).toEqual([1, expect.stringContaining('line 2: MTN 1GB: the dealer price GHS 3.00')])
    expect(await json('packages', 'import', below, '--dry-run', '--force')).toMatchObject({
      changed: 1,
      not_in_file: ['MTN 2GB', 'Telecel 1GB'],
    })
  })
})
