import { readFile } from 'node:fs/promises'
import { type BatchWork, type IndexWork, readLongWork } from '../../../platform/database/long-work/read-long-work.ts'
import { baselineName, isOutsideTransaction, listMigrationNames, migrationsFolder } from '../../../platform/database/migrate.ts'

/**
 * Which statements wait while a migration runs on a table: `all` that read or write it, those that write it (`writes`), those
 * that write the same rows (`rows`), or `none`.
 */
export const tableLocks = ['all', 'writes', 'rows', 'none'] as const

/**
 * The time of a statement depends on this: `steps`, the rows that it changes in small steps; `rows`, the rows that it writes;
 * `index`, the index that it builds; `check`, the rows that it reads; `catalogue`, nothing, because it changes only the
 * catalogue.
 */
export const tableWorkKinds = ['steps', 'rows', 'index', 'check', 'catalogue'] as const

/** The work of a migration on an existing table. */
export type TableWork = {
  readonly table: string
  readonly holds: (typeof tableLocks)[number]
  readonly does: (typeof tableWorkKinds)[number]
}

export const migrationWays = ['together', 'alone', 'long work'] as const

/** The facts about a migration that a forecast of its work on a database needs. */
export type MigrationNeeds = {
  readonly name: string
  /** `together`: in one transaction with its neighbours. `alone`: statement by statement. `long work`: in small steps. */
  readonly way: (typeof migrationWays)[number]
  readonly tables: readonly TableWork[]
  /** True when it removes something that the previous release uses. There is no way back to that release. */
  readonly contracts: boolean
}

/** The line by which a migration says that it removes something. */
const contractsLine = /^-- contracts\b/m

/** Patterns of statements on tables, each with the work that such a statement does. The first pattern that matches counts. */
const statementForms: readonly (readonly [RegExp, Omit<TableWork, 'table'>])[] = [
  [/^create (?:unique )?index concurrently .*? on (?:only )?(\w+)/, { holds: 'none', does: 'index' }],
  [/^create (?:unique )?index .*? on (?:only )?(\w+)/, { holds: 'writes', does: 'index' }],
  [/^alter table (?:if exists )?(?:only )?(\w+) .*\b(?:type|stored|set (?:un)?logged)\b/, { holds: 'all', does: 'rows' }],
  // A default that differs from row to row is written into every row. `now()` has one value for a whole statement.
  [/^alter table (?:if exists )?(?:only )?(\w+) add .*\bdefault (?!now\(\))\w+\(/, { holds: 'all', does: 'rows' }],
  [/^alter table (?:if exists )?(?:only )?(\w+) validate/, { holds: 'none', does: 'check' }],
  [/^alter table (?:if exists )?(?:only )?(\w+) (?!.*\bnot valid\b).*\bforeign key\b/, { holds: 'writes', does: 'check' }],
  [
    /^alter table (?:if exists )?(?:only )?(\w+) (?!.*\bnot valid\b).*(?:\bcheck\b|\bset not null\b)/,
    { holds: 'all', does: 'check' },
  ],
  [/^alter table (?:if exists )?(?:only )?(\w+)/, { holds: 'all', does: 'catalogue' }],
  [/^drop table (?:if exists )?(\w+)/, { holds: 'all', does: 'catalogue' }],
  [/^create (?:constraint )?trigger \w+ .*? on (\w+)/, { holds: 'writes', does: 'catalogue' }],
  [/^(?:update|delete from) (?:only )?(\w+)/, { holds: 'rows', does: 'rows' }],
]

/** One line per statement, in lower case, without comments, texts and the bodies of functions. */
function statementsOf(text: string): string[] {
  const withoutBodies = text.replaceAll(/\$(\w*)\$[\s\S]*?\$\1\$/g, '')
  const withoutComments = withoutBodies.replaceAll(/--.*$/gm, '').replaceAll(/'(?:[^']|'')*'/g, "''")
  return withoutComments.split(';').map((statement) => statement.replaceAll(/\s+/g, ' ').trim().toLowerCase())
}

function tablesOf(text: string): TableWork[] {
  const statements = statementsOf(text)
  const made = new Set(statements.flatMap((each) => /^create table (?:if not exists )?(\w+)/.exec(each)?.[1] ?? []))
  return statements.flatMap((statement) => {
    for (const [form, work] of statementForms) {
      const table = form.exec(statement)?.[1]
      // A table that this migration creates is empty, so work on it takes no time.
      if (table !== undefined) return made.has(table) ? [] : [{ table, ...work }]
    }
    return []
  })
}

const workOf = ({ kind, table }: BatchWork | IndexWork): TableWork =>
  kind === 'index' ? { table, holds: 'none', does: 'index' } : { table, holds: 'rows', does: 'steps' }

/** Reads from the text of a migration what it needs. */
export function needsOf(name: string, text: string): MigrationNeeds {
  const contracts = contractsLine.test(text)
  const longWork = readLongWork(text)
  if (longWork) return { name, way: 'long work', tables: [workOf(longWork)], contracts }
  return { name, way: isOutsideTransaction(text) ? 'alone' : 'together', tables: tablesOf(text), contracts }
}

/**
 * The needs of every migration of this code, in order. The baseline runs on an empty database, so it works on no existing
 * table.
 */
export async function listMigrationNeeds(folder = migrationsFolder): Promise<MigrationNeeds[]> {
  const names = await listMigrationNames(folder)
  const later = names.map(async (name) => needsOf(name, await readFile(new URL(`${name}.sql`, folder), 'utf8')))
  return [{ name: baselineName, way: 'together', tables: [], contracts: false }, ...(await Promise.all(later))]
}
