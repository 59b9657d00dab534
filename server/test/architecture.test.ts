import { readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  adapterFolder,
  arrows,
  files,
  findCircles,
  readSources,
  roomOf,
  root,
  type SourceFile,
  show,
  source,
} from './reading/read-sources.ts'
import { readSql } from './schema/read-sql.ts'
import { declarationsOfTables, ownersOfTables } from './schema/table-owners.ts'

/** The only places that may import all products and suppliers. */
const compositions = [
  'api.ts',
  'api-routes.ts',
  'account-member-routes.ts',
  'dashboard-deps.ts',
  'dashboard-routes.ts',
  'desk',
  'worker.ts',
  'timers',
  'personal',
  'cli.ts',
  'commands',
  'demo',
]

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
      'all-cost-subjects.ts',
      'all-finders.ts',
      'all-operations.ts',
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
    const wrong = files
      .filter((file) => ['products', 'orders'].includes(roomOf(file.path)))
      .flatMap((file) =>
        file.imports.filter((target) => adapterFolder.test(relative(source, target))).map((target) => show(file, target)),
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

  it('let the client and the conformance checks know nothing but themselves: they are installed without us', () => {
    const strangers = [join(root, 'sdk', 'typescript', 'src'), join(root, 'conformance', 'src')]
    const crossing = strangers.flatMap((stranger) =>
      readSources(stranger).flatMap((file) => {
        const packages = [...file.text.matchAll(/from '([^.'][^']*)'/g)].map(([, target = '']) => target)
        return [
          ...file.imports.filter((target) => !target.startsWith(stranger)),
          ...packages.filter((target) => !target.startsWith('node:')),
        ]
      }),
    )
    expect(crossing).toEqual([])
  })

  it('run one way inside a folder of rooms, so that none of its rooms needs one that needs it', () => {
    const folders = ['orders', 'suppliers', 'products/sms', 'products/data', 'commands']
    const circles = folders.flatMap((folder) => findCircles(roomsOf(join(source, folder))))
    expect(circles).toEqual([])
  })

  it('keep the intake and the dispatch of orders apart', () => {
    const rooms = roomsOf(join(source, 'orders'))
    expect(rooms.get('intake')).not.toContain('dispatch')
    expect(rooms.get('dispatch')).not.toContain('intake')
  })

  it('hand the read replica to what lists, searches, reports and exports, and to nothing that decides', () => {
    const named = files.filter(({ text }) => /\breadDb\b|open-read-replica/.test(text)).map(({ path }) => relative(source, path))
    expect(named.toSorted()).toEqual([
      'account-member-routes.ts',
      'api.ts',
      'dashboard-deps.ts',
      'desk/desk-routes.ts',
      'desk/live/live.desk.routes.ts',
      'money/members/wallet.member.routes.ts',
      'orders/desk/orders.desk.routes.ts',
      'orders/members/orders.member.routes.ts',
      'platform/replica/open-read-replica.ts',
      'platform/replica/read-from-replica.ts',
    ])
  })

  it('let no files depend on each other in a circle, not even for a type', () => {
    const all = ['server', 'simulator', 'proof', 'bench', 'sdk', 'conformance'].flatMap((part) => readSources(join(root, part)))
    // A screen of the dashboard that is loaded when somebody opens it may lead to the list of all screens.
    const shown = readSources(join(root, 'dashboard')).map((file) => ({ ...file, imports: file.loads }))
    const circles = findCircles(
      new Map([...all, ...shown].map((file) => [relative(root, file.path), file.imports.map((to) => relative(root, to))])),
    )
    expect(circles).toEqual([])
  })
})

/** The rooms that each room of a folder imports. Files directly in the folder are shared by all its rooms. */
function roomsOf(folder: string): Map<string, Set<string>> {
  const roomIn = (path: string) => {
    const [room = '', ...rest] = relative(folder, path).split(sep)
    return room === '..' || rest.length === 0 ? undefined : room
  }
  const rooms = new Map<string, Set<string>>()
  for (const file of files) {
    const room = roomIn(file.path)
    if (room === undefined) continue
    const known = rooms.get(room) ?? new Set()
    rooms.set(room, known)
    for (const target of file.imports.map(roomIn)) if (target !== undefined && target !== room) known.add(target)
  }
  return rooms
}

/** The tables that a file names: in SQL behind the words that a table follows, or in a call of the query builder. */
function tablesIn({ text }: SourceFile, tables: readonly string[]): Set<string> {
  const names = tables.join('|')
  const code = text.replaceAll(/^\s*(?:\/\/|\/?\*).*$/gm, '')
  const inSql = new RegExp(`\\b(?:from|join|into|update|using|table|only|truncate) (?:only )?(${names})\\b(?! *=)`, 'g')
  const inCalls = new RegExp(
    `(?:selectFrom|insertInto|updateTable|deleteFrom|[a-z]+Join|mergeInto|\\.table|\\.ref)\\(\\s*\\[?\\s*'(${names})\\b`,
    'g',
  )
  return new Set([...code.matchAll(inSql), ...code.matchAll(inCalls)].map((match) => match[1] ?? ''))
}

describe('the tables', () => {
  const declaredIn = declarationsOfTables()
  const owners = ownersOfTables()

  it('have an owner each: every table of the schema is declared in one folder', () => {
    const made = [...readSql('schema'), ...readSql('migrations')].flatMap(({ text }) => tablesMadeIn(text))
    expect(made.filter((table) => !owners.has(table))).toEqual([])
  })

  it('and the functions are all made, in the order of server/schema/order.txt', () => {
    const order = readFileSync(join(root, 'server', 'schema', 'order.txt'), 'utf8').split('\n')
    const listed = order.filter((line) => line.endsWith('.sql'))
    expect(listed.toSorted()).toEqual(
      readSql('schema')
        .map(({ path }) => path)
        .toSorted(),
    )
  })

  it('stand in the file of server/schema that is named as the .tables.ts of their owner', () => {
    const wrong = readSql('schema').flatMap(({ path, text }) =>
      tablesMadeIn(text)
        .filter((table) => declaredIn.get(table) !== path.replace(/\.sql$/, '.tables.ts'))
        .map((table) => `${path} makes ${table}`),
    )
    expect(wrong).toEqual([])
  })

  it('are named in SQL by their owner alone, and by those above it in the arrows', () => {
    const wrong = files.flatMap((file) => {
      const allowed = arrows[roomOf(file.path)]
      return [...tablesIn(file, [...owners.keys()])]
        .filter((table) => allowed && !mayName(relative(source, file.path), owners.get(table) ?? '', allowed))
        .map((table) => `${relative(source, file.path)} names ${table}`)
    })
    expect(wrong).toEqual([])
  })
})

/** A folder may name its own tables and those of the folders that it may import; a product never those of another. */
function mayName(path: string, owner: string, allowed: readonly string[]): boolean {
  const [room = '', inner] = owner.split(sep)
  if (room === 'products') return path.startsWith(join(room, inner ?? '') + sep)
  return path.startsWith(room + sep) || allowed.includes(room)
}

function tablesMadeIn(text: string): string[] {
  return [...text.matchAll(/^create (?:unlogged )?table (?:if not exists )?(\w+)/gm)].map((match) => match[1] ?? '')
}
