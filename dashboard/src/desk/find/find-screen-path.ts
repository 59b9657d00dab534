import { screens } from '../screens.ts'

/** True when an address fits a screen's path in wouter's syntax: `:order` is a part, `:order?` one that may be missing. */
function matchesPattern(pattern: string, pathname: string): boolean {
  const wanted = pattern.split('/')
  const given = pathname.split('/')
  if (given.length > wanted.length) return false
  return wanted.every((part, index) => {
    const is = given[index]
    if (part.startsWith(':')) return is === undefined || is === '' ? part.endsWith('?') : true
    return part === (is ?? '')
  })
}

/**
 * The address that shows a path of the desk: the path itself if a screen has it, else its first part (`/a` of `/a/b`).
 * Undefined when no screen has either.
 */
export function findScreenPath(path: string): string | undefined {
  const [pathname = '/', query] = path.split('?')
  const isThere = (wanted: string) => screens.some((screen) => matchesPattern(screen.path, wanted))
  if (isThere(pathname)) return path
  const [, first = ''] = pathname.split('/')
  const above = `/${first}`
  if (!isThere(above)) return undefined
  return query === undefined ? above : `${above}?${query}`
}
