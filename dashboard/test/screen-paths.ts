import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The two faces of the dashboard, by their addresses: resellers work in the app, the operator's staff at the desk. */
export type Face = 'app' | 'desk'

/** A screen, by its address below the face, and by its file. */
export type ScreenLine = { readonly path: string; readonly source: string }

const fileOf = (face: Face): string => join(fileURLToPath(new URL(`../src/${face}/`, import.meta.url)), 'screens.ts')

/** The lists are read as text, because loading them would load React. */
function readLines<Found>(face: Face, pattern: RegExp, pick: (parts: readonly string[]) => Found): Found[] {
  const found = [...readFileSync(fileOf(face), 'utf8').matchAll(pattern)].map((match) => pick(match.slice(1)))
  if (found.length === 0) throw new Error(`${fileOf(face)} writes its lines in another way now`)
  return found
}

/** All screens behind the sign-in, read from the list that the face itself works with. */
export const screenLines = (face: Face): ScreenLine[] =>
  readLines(face, /^ {2}screen\('([^']+)', \(\) => import\('\.\/([^']+)'\)\)/gm, ([path = '', file = '']) => ({
    path,
    source: `src/${face}/${file}`,
  }))

/** The addresses of all screens, below `/app` or `/desk`. */
export const screenPaths = (face: Face): string[] => screenLines(face).map(({ path }) => path)

/**
 * Lists the links of the rail, the desk's side menu, to screens that exist, with the permission that each link needs.
 * Undefined: everybody sees the link.
 */
export function deskDestinations(): { href: string; permission: string | undefined }[] {
  const pattern = /^ {2}\{ href: '([^']+)',.*? permission: (?:'(\w+)'|undefined)(.*)\}/gm
  const lines = readLines('desk', pattern, ([href = '', permission, rest = '']) => ({ href, permission, rest }))
  const shown = new Set(screenPaths('desk').map((path) => path.replace(/\/:.*/, '')))
  return lines.filter(({ href, rest }) => shown.has(href) && !rest.includes('isOnlyInBar'))
}
