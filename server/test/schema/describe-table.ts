import type { Column, Constraint, Index, Table } from './read-tables.ts'

/** PostgreSQL's spelling of a definition, nearer to how people write it. */
function plainSql(definition: string): string {
  return definition
    .replaceAll(/('|\(\d+\))::(?:text\[\]|timestamp with time zone|\w+)/g, '$1')
    .replaceAll(/= ANY \(ARRAY\[(.*?)\]\)/g, 'in ($1)')
    .replaceAll(
      /\b(?:CHECK|PRIMARY KEY|UNIQUE|FOREIGN KEY|REFERENCES|ON DELETE|CASCADE|SET NULL|AND|OR|IS|NOT|NULL)\b/g,
      (word) => word.toLowerCase(),
    )
    .replace(/^check \(\((.*)\)\)/, 'check ($1)')
}

function plainType(type: string): string {
  return type.replace('timestamp with time zone', 'timestamptz')
}

const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ').trim()
const inCell = (text: string) => text.replaceAll('|', '\\|')

function describeColumn({ name, type, may_be_null: mayBeNull, default: value, comment }: Column): string {
  const parts = [plainType(type), ...(mayBeNull ? ['or null'] : []), ...(value === null ? [] : [`= ${plainSql(value)}`])]
  return `| \`${name}\` | ${inCell(parts.join(' '))} | ${inCell(oneLine(comment ?? ''))} |`
}

/** Columns that differ in their number only are one line, from the first to the last. */
function joinNumbered(columns: readonly Column[]): Column[] {
  const stemOf = ({ name }: Column) => /^(.*_)\d+$/.exec(name)?.[1]
  return columns.flatMap((column, at) => {
    const stem = stemOf(column)
    if (stem === undefined) return [column]
    const before = columns[at - 1]
    if (before && stemOf(before) === stem) return []
    const last = columns.findLast((other) => stemOf(other) === stem) ?? column
    return [{ ...column, name: `${column.name}\` … \`${last.name}` }]
  })
}

function describeConstraint({ name, definition }: Constraint): string {
  return `- \`${name}\`: \`${plainSql(definition)}\``
}

function describeIndex({ name, definition, comment }: Index): string {
  if (comment === null) throw new Error(`The index ${name} has no comment that says which query it serves.`)
  const isUnique = definition.startsWith('CREATE UNIQUE')
  const what = definition
    .replace(/^.*? USING /, '')
    .replace(/^btree /, '')
    .replace(' WHERE ', ' where ')
    .replace(' WITH ', ' with ')
  return `- \`${name}\`${isUnique ? ', unique' : ''}: \`${plainSql(what)}\`. ${oneLine(comment)}`
}

/** The two parts of a table's comment: what a row is, and the last line, how many there will be. */
function partsOf({ name, comment }: Table): { row: string; growth: string } {
  const [, row, growth] = /^([\s\S]*)\nGrows: (.*)$/.exec(comment ?? '') ?? []
  if (row === undefined || growth === undefined)
    throw new Error(
      `The comment on table ${name} must say what a row is, and in its last line, after "Grows: ", how many there will be.`,
    )
  return { row: oneLine(row), growth }
}

/** Describes a table in Markdown. @throws when its comment or that of an index is missing. */
export function describeTable(table: Table, writers: readonly string[]): string {
  const { row, growth } = partsOf(table)
  const writtenBy = writers.length > 0 ? ` Written by ${writers.map((writer) => `\`${writer}\``).join(', ')}.` : ''
  const lists = [
    ['Constraints:', '', ...table.constraints.map(describeConstraint)],
    ['Indexes:', '', ...table.indexes.map(describeIndex)],
  ]
  return [
    `### ${table.name}`,
    row,
    `Grows: ${growth}${writtenBy} The application may ${table.grants}.`,
    ['| Column | Type | |', '| --- | --- | --- |', ...joinNumbered(table.columns).map(describeColumn)].join('\n'),
    ...lists.filter(({ length }) => length > 2).map((lines) => lines.join('\n')),
  ].join('\n\n')
}
