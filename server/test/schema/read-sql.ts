import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../reading/read-sources.ts'

/** The files of SQL below a folder of the server, with their paths in it. */
export function readSql(folder: 'schema' | 'migrations'): { path: string; text: string }[] {
  const top = join(root, 'server', folder)
  return readdirSync(top, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.sql'))
    .map((path) => ({ path, text: readFileSync(join(top, path), 'utf8') }))
}
