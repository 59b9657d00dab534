import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The repository, and the server's sources in it. */
export const root = fileURLToPath(new URL('../../../', import.meta.url))
export const source = join(root, 'server', 'src')

/**
 * A file of TypeScript with what it imports, types included, as paths. `loads` are those of them that are loaded with it, without
 * those that it loads later by `import()`.
 */
export type SourceFile = {
  readonly path: string
  readonly text: string
  readonly imports: readonly string[]
  readonly loads: readonly string[]
}

/** What this process has read. No test changes a source. */
const known = new Map<string, SourceFile[]>()

/** All TypeScript below a folder, tests and fixtures included, but what is installed or built there. */
export function readSources(folder: string): SourceFile[] {
  const sources = known.get(folder) ?? readFolder(folder)
  known.set(folder, sources)
  return sources
}

function readFolder(folder: string): SourceFile[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !/(^|[/\\])(node_modules|dist)[/\\]/.test(name))
    .map((name) => {
      const path = join(folder, name)
      const text = readFileSync(path, 'utf8')
      const imports = [...text.matchAll(/(?:from|import)\s*(\(?)\s*'(\.[^']+)'/g)].map(([, later, target = '']) => ({
        target: join(dirname(path), target),
        isLater: later !== '',
      }))
      return {
        path,
        text,
        imports: imports.map(({ target }) => target),
        loads: imports.filter(({ isLater }) => !isLater).map(({ target }) => target),
      }
    })
}

export function isTest({ path }: SourceFile): boolean {
  return path.endsWith('.test.ts') || path.endsWith('.fixture.ts')
}

/** The first folder below `server/src`, or the file itself for those that stand in it. */
export function roomOf(path: string): string {
  const [first = ''] = relative(source, path).split(sep)
  return first
}

/** Who may know whom, and whose tables it may name. A room that is missing here is a composition: it may know everything. */
export const arrows: Readonly<Record<string, readonly string[]>> = {
  platform: [],
  accounts: ['money', 'notices', 'platform'],
  docs: ['platform'],
  pages: [],
  money: ['platform'],
  notices: ['platform'],
  networks: ['platform'],
  gateways: ['guards', 'money', 'notices', 'platform'],
  guards: ['money', 'notices', 'platform'],
  suppliers: ['guards', 'money', 'notices', 'networks', 'platform'],
  orders: ['money', 'accounts', 'suppliers', 'notices', 'platform'],
  people: ['guards', 'accounts', 'money', 'notices', 'platform'],
  reports: ['orders', 'money', 'accounts', 'suppliers', 'platform'],
  status: ['orders', 'suppliers', 'reports', 'networks', 'notices', 'platform'],
  reconciliation: ['orders', 'money', 'suppliers', 'notices', 'platform'],
  reselling: ['orders', 'money', 'accounts', 'networks', 'notices', 'platform'],
  products: ['reselling', 'orders', 'money', 'accounts', 'networks', 'suppliers', 'notices', 'platform'],
}

/** The sources of the server without tests and fixtures. */
export const files = readSources(source).filter((file) => !isTest(file))

const adapterNames = readdirSync(join(source, 'suppliers')).filter((name) =>
  existsSync(join(source, 'suppliers', name, 'talk.ts')),
)

/** An adapter's own folder. Adapters mirror each other: `talk.ts` and `translate.ts` of each export functions of the same names. */
export const adapterFolder = new RegExp(`suppliers[/\\\\](?:${adapterNames.join('|')})[/\\\\]`)

export function show(file: SourceFile, target: string): string {
  return `${relative(source, file.path)} → ${relative(source, target)}`
}

/**
 * Finds the circles: groups of names in which each one leads to every other one (Tarjan's algorithm). A single name is
 * no group.
 */
export function findCircles(edges: ReadonlyMap<string, Iterable<string>>): string[][] {
  const circles: string[][] = []
  const indices = new Map<string, number>()
  const lowest = new Map<string, number>()
  const stack: string[] = []

  function visit(name: string): void {
    indices.set(name, indices.size)
    lowest.set(name, indices.size - 1)
    stack.push(name)
    for (const next of edges.get(name) ?? []) {
      if (!indices.has(next)) visit(next)
      if (stack.includes(next)) lowest.set(name, Math.min(lowest.get(name) ?? 0, lowest.get(next) ?? 0))
    }
    if (lowest.get(name) !== indices.get(name)) return
    const circle = stack.splice(stack.indexOf(name))
    if (circle.length > 1) circles.push(circle.toSorted())
  }

  for (const name of edges.keys()) if (!indices.has(name)) visit(name)
  return circles
}
