import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../', import.meta.url))
const source = join(root, 'server', 'src')

type SourceFile = { path: string; text: string; imports: string[] }

function readSources(folder: string): SourceFile[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.includes('node_modules'))
    .map((name) => {
      const path = join(folder, name)
      const text = readFileSync(path, 'utf8')
      const specifiers = [...text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)].map((match) =>
        join(dirname(path), match[1] ?? ''),
      )
      return { path, text, imports: specifiers }
    })
}

/** The first folder below `server/src`, or the file itself for those that stand in it. */
function roomOf(path: string): string {
  const [first = ''] = relative(source, path).split(sep)
  return first
}

/** Who may know whom. A room that is missing here is a composition: it may know everything. */
const arrows: Readonly<Record<string, readonly string[]>> = {
  platform: [],
  accounts: ['money', 'platform'],
  docs: ['platform'],
  money: ['platform'],
  notices: ['platform'],
  networks: ['platform'],
  suppliers: ['money', 'notices', 'platform'],
  orders: ['money', 'accounts', 'suppliers', 'notices', 'platform'],
  products: ['orders', 'money', 'accounts', 'networks', 'suppliers', 'notices', 'platform'],
}

/** The only places that know all products and suppliers together. */
const compositions = ['api.ts', 'api-routes.ts', 'worker.ts', 'cli.ts', 'commands', 'demo']

const files = readSources(source).filter((file) => !file.path.endsWith('.test.ts') && !file.path.endsWith('.fixture.ts'))
const show = (file: SourceFile, target: string) => `${relative(source, file.path)} → ${relative(source, target)}`

describe('the arrows of ARCHITECTURE.md', () => {
  it('hold for every import', () => {
    const wrong = files.flatMap((file) => {
      const allowed = arrows[roomOf(file.path)]
      if (!allowed) return []
      return file.imports
        .filter((target) => roomOf(target) !== roomOf(file.path) && !allowed.includes(roomOf(target)))
        .map((target) => show(file, target))
    })
    expect(wrong).toEqual([])
  })

  it('let nothing but the compositions know a product', () => {
    const all = [
      ...compositions,
      'all-settings.ts',
      'all-approval-kinds.ts',
      'all-audit-checks.ts',
      'all-sealed-columns.ts',
      'products',
    ]
    const wrong = files
      .filter((file) => !all.includes(roomOf(file.path)))
      .flatMap((file) => file.imports.filter((target) => roomOf(target) === 'products').map((target) => show(file, target)))
    expect(wrong).toEqual([])
  })

  it('let no product know another', () => {
    const productOf = (path: string) => relative(join(source, 'products'), path).split(sep)[0]
    const list = join(source, 'products', 'products.ts')
    const description = join(source, 'products', 'product.ts')
    const wrong = files
      .filter((file) => roomOf(file.path) === 'products' && file.path !== list)
      .flatMap((file) =>
        file.imports
          .filter(
            (target) => roomOf(target) === 'products' && productOf(target) !== productOf(file.path) && target !== description,
          )
          .map((target) => show(file, target)),
      )
    expect(wrong).toEqual([])
  })

  it('let products know no supplier’s adapter, and orders only the ports', () => {
    const adapterFolders = /suppliers[/\\](?:datakazina|datamart|hubtel|registration|smpp)[/\\]/
    const wrong = files
      .filter((file) => ['products', 'orders'].includes(roomOf(file.path)))
      .flatMap((file) =>
        file.imports.filter((target) => adapterFolders.test(relative(source, target))).map((target) => show(file, target)),
      )
    expect(wrong).toEqual([])
  })

  it('keep the simulator a stranger: neither side imports the other', () => {
    const simulator = join(root, 'simulator')
    const crossing = [
      ...readSources(join(root, 'server')).flatMap((file) => file.imports.filter((target) => target.startsWith(simulator))),
      ...readSources(simulator).flatMap((file) => file.imports.filter((target) => !target.startsWith(simulator))),
    ]
    expect(crossing).toEqual([])
  })
})

describe('the rules of CONTRIBUTING.md', () => {
  it('let only config.ts read the environment', () => {
    const readers = files
      .filter((file) => /process\.env|\benv\b.*from 'node:process'/.test(file.text))
      .map((file) => relative(source, file.path))
    // The samples of the documentation are programs of the reader, who keeps the key in his environment.
    expect(readers.filter((path) => path !== 'config.ts' && path !== 'docs/write-samples.ts')).toEqual([])
  })

  it('name files in kebab-case, with a role only where a noun is needed', () => {
    const pattern =
      /^[a-z0-9]+(-[a-z0-9]+)*(\.(routes|schemas|kind|sql|admin|member|settings|tables|audit|product))?(\.(test|fixture))?\.ts$/
    const wrong = readSources(source)
      .map((file) => file.path.split(sep).at(-1) ?? '')
      .filter((name) => !pattern.test(name))
    expect(wrong).toEqual([])
  })

  it('keep names that say nothing out of the tree', () => {
    const wrong = files
      .map((file) => relative(source, file.path))
      .filter((path) => /(^|[/\\-])(service|manager|helper|util|utils|common|misc)s?\b/.test(path))
    expect(wrong).toEqual([])
  })

  it('keep files under 300 lines', () => {
    const long = readSources(source)
      .filter((file) => !file.path.endsWith('.test.ts') && file.text.split('\n').length > 300)
      .map((file) => relative(source, file.path))
    expect(long).toEqual([])
  })
})
