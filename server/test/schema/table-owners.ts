import { dirname, relative } from 'node:path'
import { files, source } from '../reading/read-sources.ts'

/** The file that declares each table, below `server/src`. */
export function declarationsOfTables(): Map<string, string> {
  const declarations = new Map<string, string>()
  for (const { path, text } of files.filter((file) => file.path.endsWith('.tables.ts'))) {
    const [, body = ''] = /interface Tables \{\n([\s\S]*?)\n {2}\}/.exec(text) ?? []
    for (const [, table = ''] of body.matchAll(/^ {4}(\w+):/gm)) declarations.set(table, relative(source, path))
  }
  return declarations
}

/** The folder that declares each table, below `server/src`. */
export function ownersOfTables(): Map<string, string> {
  return new Map([...declarationsOfTables()].map(([table, path]) => [table, dirname(path)]))
}
