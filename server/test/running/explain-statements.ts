import { Kysely as KyselyDatabase, PostgresDialect } from 'kysely'
import pg from 'pg'
import { arrayText } from '../../src/platform/database/array-text.ts'
import type { Db, Tables } from '../../src/platform/database/database.ts'

/** A table or an index that a statement read. */
export type ScanOfPlan = {
  /** As in `Index Only Scan`. */
  readonly type: string
  readonly table: string
  /** The rows that were read, including those that were filtered out. */
  readonly rows: number
}

/** The fields of PostgreSQL's plan that we use. */
type PlanNode = {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Index Name'?: string
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number
  readonly 'Rows Removed by Index Recheck'?: number
  readonly Plans?: readonly PlanNode[]
}

function scansOf(node: PlanNode): ScanOfPlan[] {
  const removed = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)
  const table = node['Relation Name'] ?? node['Index Name']
  const rows = Math.round((node['Actual Rows'] + removed) * node['Actual Loops'])
  const own = table === undefined ? [] : [{ type: node['Node Type'], table, rows }]
  return [...own, ...(node.Plans ?? []).flatMap(scansOf)]
}

/** Left out are commands such as `begin`. */
const hasPlan = /^\s*(?:select|with|insert|update|delete)\b/

const literalOf = (value: unknown): string => {
  if (value === null || value === undefined) return 'null'
  if (Array.isArray(value)) return literalOf(arrayText(value))
  return pg.escapeLiteral(typeof value === 'string' ? value : value instanceof Date ? value.toISOString() : JSON.stringify(value))
}

/** Prepares a statement, and has it explained as PostgreSQL runs it once it keeps its plan, which is for any parameters. */
async function explainKept(pool: pg.Pool, name: string, text: string, parameters: readonly unknown[]) {
  await pool.query('set plan_cache_mode = force_generic_plan')
  await pool.query(`prepare ${name} as ${text}`)
  const given = parameters.length === 0 ? '' : `(${parameters.map(literalOf).join(', ')})`
  return pool.query(`explain (analyze, format json) execute ${name}${given}`)
}

/**
 * Runs some work on a database and has PostgreSQL explain each statement that it sent, as it was sent, with the rows that
 * were really read.
 * @param plans `kept`: as PostgreSQL runs statements whose plans it keeps. Left out: each is planned for its parameters.
 */
export async function explainStatements(url: string, work: (db: Db) => Promise<unknown>, plans?: 'kept'): Promise<ScanOfPlan[]> {
  const pool = new pg.Pool({ connectionString: url, max: 1 })
  // The database may be dropped by force while the last connection is still being closed. The pool tells of that, too.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  const sent: { sql: string; parameters: readonly unknown[] }[] = []
  const db: Db = new KyselyDatabase<Tables>({
    dialect: new PostgresDialect({ pool }),
    log({ query: { sql, parameters } }) {
      if (hasPlan.test(sql)) sent.push({ sql, parameters })
    },
  })
  try {
    await work(db)
    const scans: ScanOfPlan[] = []
    for (const [index, { sql, parameters }] of sent.entries()) {
      const explained =
        plans === 'kept'
          ? await explainKept(pool, `statement_${index}`, sql, parameters)
          : await pool.query(`explain (analyze, format json) ${sql}`, [...parameters])
      const [row] = explained.rows as { 'QUERY PLAN': { Plan: PlanNode }[] }[]
      for (const { Plan } of row?.['QUERY PLAN'] ?? []) scans.push(...scansOf(Plan))
    }
    return scans
  } finally {
    await db.destroy()
  }
}
