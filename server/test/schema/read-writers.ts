import { dirname, relative, sep } from 'node:path'
import { files, roomOf, source } from '../reading/read-sources.ts'
import { readSql } from './read-sql.ts'

/** Room and, where it has rooms of its own, the one in it: `orders/intake`. */
const folderOf = (path: string) => dirname(path).split(sep).slice(0, 2).join('/')

const invents = new Set(['demo'])

/** The places that add, change or delete rows of each table: folders of `server/src`, and functions of the schema. */
export function readWriters(tables: readonly string[]): Map<string, string[]> {
  const names = tables.join('|')
  const inSql = new RegExp(`\\b(?:insert into|update|delete from) (?:only )?(${names})\\b`, 'g')
  const inCalls = new RegExp(`(?:insertInto|updateTable|deleteFrom)\\(\\s*'(${names})\\b`, 'g')
  const writers = new Map<string, Set<string>>()
  const note = (text: string, writer: string) => {
    for (const [, table = ''] of [...text.matchAll(inSql), ...text.matchAll(inCalls)])
      writers.set(table, (writers.get(table) ?? new Set()).add(writer))
  }
  for (const { path, text } of files.filter((file) => !invents.has(roomOf(file.path))))
    note(text.replaceAll(/^\s*(?:\/\/|\/?\*).*$/gm, ''), folderOf(relative(source, path)))
  for (const { text } of readSql('schema')) {
    const name = /^create function (\w+)/m.exec(text)?.[1]
    if (name !== undefined) note(text.replaceAll(/^\s*--.*$/gm, ''), `${name}()`)
  }
  return new Map([...writers].map(([table, places]) => [table, [...places].toSorted()]))
}
