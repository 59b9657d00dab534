import { mkdir, mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { list } from 'tar'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pack } from '../server/bin/pack-clients.ts'
import { isBaselineKept, noteBaseline } from './baseline.ts'
import { closeSection, readSection } from './changelog.ts'
import { type BillOfMaterials, makeRepeatable, writeLicences } from './list-packages.ts'
import { sumUp } from './make-files.ts'
import { isVersion, placesOfVersion, readVersion, setVersion } from './set-version.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'makola-release-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

describe('the changelog', () => {
  const text = '# Changelog\n\n## Unreleased\n- Bills.\n\n## 1.0.0 (2026-01-02)\n- Data.\n'

  it('gives what is unreleased its version and its day, and begins an empty section', () => {
    const closed = closeSection(text, '1.1.0', '2026-03-04')
    expect(closed).toBe('# Changelog\n\n## Unreleased\n\n## 1.1.0 (2026-03-04)\n- Bills.\n\n## 1.0.0 (2026-01-02)\n- Data.\n')
    expect(readSection(closed, '1.1.0')).toBe('- Bills.')
    expect(readSection(closed, '1.0.0')).toBe('- Data.')
    expect(readSection(closed, '1.2.0')).toBeUndefined()
  })

  it('refuses a release without a change, and a version that it has', () => {
    const closed = closeSection(text, '1.1.0', '2026-03-04')
    expect(() => closeSection(closed, '1.2.0', '2026-03-05')).toThrow('lists no change')
    expect(() => closeSection(text, '1.0.0', '2026-03-05')).toThrow('has a section 1.0.0 already')
  })
})

describe('a version', () => {
  it.each(['1.0.0', '1.0.0-rc.1', '12.3.45'])('may be %s', (version) => expect(isVersion(version)).toBe(true))
  it.each(['', 'v1.0.0', '1.0', '01.0.0', '1.0.0+build', '1.0.0 '])('may not be "%s"', (version) =>
    expect(isVersion(version)).toBe(false),
  )

  it('stands in the manifest, in those of its parts, and in the lock', async () => {
    const write = (path: string, content: object) => writeFile(join(folder, path), JSON.stringify(content))
    const read = async (path: string) => JSON.parse(await readFile(join(folder, path), 'utf8')) as unknown
    const old = { version: '0.1.0' }
    await mkdir(join(folder, 'server'))
    for (const place of placesOfVersion) {
      await mkdir(join(folder, dirname(place)), { recursive: true })
      await writeFile(join(folder, place), 'version = "0.1.0"\n')
    }
    await write('package.json', { name: 'shop', ...old, workspaces: ['server'] })
    await write('server/package.json', { name: 'part', ...old })
    await write('package-lock.json', { ...old, packages: { '': old, server: old, 'node_modules/pg': { version: '8.0.0' } } })
    setVersion(folder, '1.0.0')
    const version = '1.0.0'
    expect(await read('package.json')).toEqual({ name: 'shop', version, workspaces: ['server'] })
    expect(await read('server/package.json')).toEqual({ name: 'part', version })
    for (const place of placesOfVersion) expect(await readFile(join(folder, place), 'utf8')).toBe('version = "1.0.0"\n')
    const packages = { '': { version }, server: { version }, 'node_modules/pg': { version: '8.0.0' } }
    expect(await read('package-lock.json')).toEqual({ version, packages })
  })

  it.each(placesOfVersion)('is the one of the manifest in %s', async (place) => {
    expect(await readFile(join(root, place), 'utf8')).toContain(readVersion(root))
  })
})

describe('the schema of the first release', () => {
  it('is not changed any more: what changes is a migration', () => expect(isBaselineKept(root)).toBe(true))

  it('is noted at the first release, and a later change of it is found', async () => {
    const shop = join(folder, 'shop')
    for (const part of ['release', 'server/schema']) await mkdir(join(shop, part), { recursive: true })
    await writeFile(join(shop, 'server/schema/order.txt'), 'orders.sql\n')
    await writeFile(join(shop, 'server/schema/orders.sql'), 'create table orders ();')
    expect(isBaselineKept(shop)).toBe(true)
    noteBaseline(shop)
    expect(isBaselineKept(shop)).toBe(true)
    await writeFile(join(shop, 'server/schema/orders.sql'), 'create table orders (id uuid);')
    expect(isBaselineKept(shop)).toBe(false)
    noteBaseline(shop)
    expect(isBaselineKept(shop)).toBe(false)
  })
})

describe('the archive', () => {
  it('has the same bytes when the same files are packed at another time, and its sum is that of sha256sum', async () => {
    const target = join(folder, 'target')
    await mkdir(target)
    const names = ['a.txt', 'b/c.sh']
    await mkdir(join(folder, 'b'))
    const make = async (name: string, modified: Date) => {
      for (const [index, path] of names.entries()) {
        await rm(join(folder, path), { force: true })
        await writeFile(join(folder, path), `text ${index}\n`, { mode: index === 1 ? 0o777 : 0o664 })
        await utimes(join(folder, path), modified, modified)
      }
      const moment = new Date('2026-01-02T03:04:05Z')
      await pack({ file: join(target, name), folder, prefix: 'shop-1.0.0', moment }, names)
      return readFile(join(target, name))
    }
    const first = await make('first.tar.gz', new Date('2020-01-01'))
    const second = await make('second.tar.gz', new Date('2021-01-01'))
    expect(second.equals(first)).toBe(true)
    const packed: string[] = []
    await list({ file: join(target, 'first.tar.gz'), onReadEntry: (entry) => packed.push(entry.path) })
    expect(packed).toEqual(['shop-1.0.0/a.txt', 'shop-1.0.0/b/c.sh'])
    const [one, two] = (await sumUp(target)).split('\n')
    expect(one).toMatch(/^[0-9a-f]{64} {2}first\.tar\.gz$/)
    expect(two?.slice(0, 64)).toBe(one?.slice(0, 64))
  })
})

describe('the list of packages', () => {
  const bill: BillOfMaterials = {
    serialNumber: 'urn:uuid:1',
    metadata: { timestamp: '2026-05-06T07:08:09.000Z', component: { name: 'tree' } },
    components: [
      { name: 'vite', version: '8.0.0', scope: 'optional', licenses: [{ license: { id: 'MIT' } }] },
      { name: '@auth/core', version: '1.0.0', scope: 'required', licenses: [{ expression: 'MIT OR ISC' }] },
      { name: 'png', version: '5.0.0', scope: 'required' },
    ],
  }

  it('says nothing of the run that made it', () => {
    expect(makeRepeatable(bill, '2026-01-02T03:04:05.000Z')).toEqual({
      metadata: { timestamp: '2026-01-02T03:04:05.000Z', component: { name: 'makola' } },
      components: bill.components,
    })
  })

  it('names the licence of each package, apart for those that only developers install', () => {
    const [operators = '', developers] = writeLicences(bill).split('\nFor some systems')
    expect(operators.split('\n').slice(-3)).toEqual([
      '@auth/core 1.0.0: MIT OR ISC',
      'png 5.0.0: named in the package itself',
      '',
    ])
    expect(developers).toContain('vite 8.0.0: MIT\n')
  })
})
