import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { deskDestinations, screenLines } from '../screen-paths.ts'

const dashboard = fileURLToPath(new URL('../../', import.meta.url))
const desk = join(dashboard, 'src/desk')
const contract = join(dashboard, '../contract/dashboard.openapi.json')

type Operation = { readonly 'x-permission'?: string }
const { paths } = JSON.parse(readFileSync(contract, 'utf8')) as { paths: Record<string, Record<string, Operation>> }

const verbs: Readonly<Record<string, string>> = { remove: 'delete', useRead: 'get', usePages: 'get', path: 'get' }

/**
 * Finds the API calls in a source text: `post('/desk/api/…')`, `useRead('topic', '/desk/api/…')`, or the `path` of a list
 * screen.
 */
const callsOf = (text: string) =>
  [
    ...text.matchAll(/\bapi\.([A-Z]+)\(\s*'(\/desk\/api\/[^']+)'/g),
    ...text.matchAll(/\b(get|post|put|patch|remove)\(\s*'(\/desk\/api\/[^']+)'/g),
    ...text.matchAll(/\b(useRead|usePages)\(\s*[^,]+,\s*'(\/desk\/api\/[^']+)'/g),
    ...text.matchAll(/\b(path)="(\/desk\/api\/[^"]+)"/g),
  ].map(([, called = '', route = '']) => {
    const verb = verbs[called] ?? called.toLowerCase()
    return { name: `${verb.toUpperCase()} ${route}`, permission: paths[route]?.[verb]?.['x-permission'] }
  })

/** Every source file of the desk, with the API calls that it makes and the files that it imports by a relative path. */
const files = readdirSync(desk, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.tsx?$/.test(name))
  .map((name) => {
    const path = join(desk, name)
    const text = readFileSync(path, 'utf8')
    return {
      path,
      text,
      imports: [...text.matchAll(/(?:from|import\() ?'(\.[^']+)'/g)].map(([, target = '']) => join(dirname(path), target)),
      calls: callsOf(text),
    }
  })

/** Permissions of everybody who is signed in at the desk, so no component asks `useMay` for them. */
const ofEverybody = ['anyone', 'person', 'see']

/** Returns a file and every file that imports it, directly or through other files, up to the screen. */
function filesThatShow(path: string, found = new Set<string>()): Set<string> {
  if (found.has(path)) return found
  found.add(path)
  for (const file of files) if (file.imports.includes(path) && !file.path.endsWith('/screens.ts')) filesThatShow(file.path, found)
  return found
}

/** Returns the permission without which the rail, the desk's side menu, hides the link to this screen. */
function permissionOfScreen(path: string): string | undefined {
  const line = screenLines('desk').find(({ source }) => join(dashboard, source) === path)
  return deskDestinations().find(({ href }) => line && line.path.replace(/\/:.*/, '') === href)?.permission
}

test('whatever the desk asks of the server for some of the staff alone is shown to those alone', () => {
  const unasked = files.flatMap(({ path, calls }) => {
    const above = [...filesThatShow(path)]
    const asked = new Set([
      ...files
        .filter((each) => above.includes(each.path))
        .flatMap(({ text }) => [...text.matchAll(/useMay\('(\w+)'\)/g)].map(([, name]) => name)),
      ...above.map(permissionOfScreen),
    ])
    return calls
      .filter(({ permission }) => permission !== undefined && !ofEverybody.includes(permission) && !asked.has(permission))
      .map(
        ({ name, permission }) =>
          `${relative(dashboard, path)}: ${name} needs ${permission}, and nothing asks useMay('${permission}')`,
      )
  })
  expect(unasked).toEqual([])
})

test('whatever the desk asks of the server is in the contract', () => {
  const unknown = files.flatMap(({ path, calls }) =>
    calls.filter(({ permission }) => permission === undefined).map(({ name }) => `${relative(dashboard, path)}: ${name}`),
  )
  expect(files.some(({ calls }) => calls.length > 0)).toBe(true)
  expect(unknown).toEqual([])
})
