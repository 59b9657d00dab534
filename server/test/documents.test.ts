import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../', import.meta.url))
const read = (path: string) => readFileSync(join(root, path), 'utf8')

const pagesIn = (folder: string) => readdirSync(join(root, folder)).map((name) => `${folder}/${name}`)

const documents = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'proof/README.md',
  'bench/README.md',
  ...pagesIn('docs/architecture'),
  ...pagesIn('docs/decisions'),
]

const folders = ['server', 'simulator', 'proof', 'bench', 'sdk', 'conformance']
/** Every path below these folders as documents name it: by its last part alone, by its last two, and so on. */
const tree = new Set(
  folders
    .flatMap((folder) => readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }))
    .filter((name) => !name.includes('node_modules'))
    .flatMap((name) => name.split(sep).map((_, first, parts) => parts.slice(first).join('/'))),
)

/** These paths are served by a running server or written by the bench, so they are not in the tree. */
const isMadeLater = (path: string) => ['/openapi.json', '/docs/postman.json', '/docs/bruno.json', 'bench.json'].includes(path)

/** Whether a document may name this path: it is there from the root, it ends the path of a source, or it is made later. */
const isInTree = (path: string) => existsSync(join(root, path)) || tree.has(path) || isMadeLater(path)

describe('the documents for those who read the code', () => {
  it.each(documents)('%s names only files that there are', (document) => {
    const named = [...read(document).matchAll(/`([a-z0-9./-]+\.(?:ts|js|sql|md|json))`/g)].map((match) => match[1] ?? '')
    // A name such as `.routes.ts` is the end of many.
    expect(named.filter((path) => !path.startsWith('.') && !isInTree(path))).toEqual([])
  })

  it.each(documents)('%s links only to files that there are', (document) => {
    const targets = [...read(document).matchAll(/\]\(([^)#\s]+)/g)].map((match) => match[1] ?? '')
    const files = targets.filter((target) => !target.includes('://'))
    expect(files.filter((target) => !existsSync(join(root, dirname(document), target)))).toEqual([])
  })

  it.each([
    ['docs/decisions/README.md', 'docs/decisions'],
    ['ARCHITECTURE.md', 'docs/architecture'],
  ])('%s leads to every page in %s', (index, folder) => {
    const text = read(index)
    const names = readdirSync(join(root, folder)).filter((name) => name !== 'README.md')
    expect(names.filter((name) => !text.includes(`${name})`))).toEqual([])
  })

  it('has a test for each of the fifteen promises, named as it begins', () => {
    const rows = read('proof/README.md')
      .split('\n')
      .filter((line) => /^\| \d+\. /.test(line))
    expect(rows).toHaveLength(15)
    const wrong = rows.flatMap((row) => {
      const tests = [...row.matchAll(/`([a-z0-9./-]+\.ts)`(?: "([^"]+)")?/g)]
      if (!tests.some(([, path = '']) => path.endsWith('.test.ts'))) return [`no test: ${row}`]
      return tests.flatMap(([, path = '', name]) =>
        existsSync(join(root, path)) && (name === undefined || read(path).includes(`'${name}`)) ? [] : [`${path} ${name ?? ''}`],
      )
    })
    expect(wrong).toEqual([])
  })

  it('describes the parts of the bench as their files do, in the order in which they run', () => {
    const listed = [...read('bench/README.md').matchAll(/^\| `([a-z][a-z-]*)` \| (.+) \|$/gm)].map((row) => row.slice(1))
    const order = [...read('bench/src/all-parts.ts').matchAll(/^ {2}(\w+),$/gm)].map((match) => match[1] ?? '')
    const files = readdirSync(join(root, 'bench/src/parts')).filter((file) => file !== 'part.ts')
    const parts = new Map(
      files.map((file) => {
        const pattern = /export const (\w+): Part = \{\n {2}name: '([^']+)',\n {2}measures: '([^']+)'/
        const [, constant = file, ...row] = pattern.exec(read(`bench/src/parts/${file}`)) ?? []
        return [constant, row] as const
      }),
    )
    expect(order.toSorted()).toEqual([...parts.keys()].toSorted())
    expect(listed).toEqual(order.map((constant) => parts.get(constant)))
  })
})
