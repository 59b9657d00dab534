import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const file = join(fileURLToPath(new URL('../src/app/', import.meta.url)), 'screens.ts')

/**
 * The addresses below `/app` of all screens behind the sign-in, read from the list that the app itself works with. The
 * list is read as text, because loading it would load React.
 */
export function screenPaths(): string[] {
  const paths = [...readFileSync(file, 'utf8').matchAll(/^ {2}screen\('([^']+)'/gm)].map((match) => match[1] ?? '')
  if (!paths.includes('/')) throw new Error(`${file} names no first screen: its lines are written in another way now`)
  return paths
}
