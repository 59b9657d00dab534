import { Readable } from 'node:stream'
import type { Db } from '../platform/database/database.ts'
import type { Api } from '../platform/http/route-types.ts'
import { FileOf } from '../platform/http/schemas.ts'
import { wireOf } from '../platform/operations/wire.ts'
import { writeCsvHead, writeCsvRows } from '../platform/write-csv.ts'
import { queryOf } from './differences.operations.ts'
import { type DifferenceQuery, listDifferences } from './list-differences.ts'
import { Difference, DifferenceFilters } from './reconciliation.schemas.ts'

const rowsAtATime = 500

const columns = [
  'supplier',
  'kind',
  'why',
  'reference',
  'supplier_reference',
  'order_reference',
  'order_status',
  'amount_theirs',
  'amount_ours',
  'amount_by',
  'time',
  'file_name',
  'line',
  'assigned_to',
  'closed_at',
  'closed_by',
  'close_reason',
] as const

const wire = wireOf(Difference)

type Cells = Record<Exclude<(typeof columns)[number], 'time'> | 'at', string | number | null>

async function* writeDifferences(db: Db, query: Omit<DifferenceQuery, 'limit'>): AsyncGenerator<string> {
  yield writeCsvHead(columns)
  let after: string | undefined
  for (;;) {
    const rows = await listDifferences(db, { ...query, after, limit: rowsAtATime })
    yield writeCsvRows({
      columns,
      rows: rows.map((row) => wire.encode(row) as Cells).map(({ at, ...view }) => ({ ...view, time: at })),
    })
    after = rows.at(-1)?.id
    if (rows.length < rowsAtATime) return
  }
}

export function registerDifferencesFile(desk: Api, { db }: { readonly db: Db }): void {
  desk.get(
    '/reconcile/differences.csv',
    {
      config: { exportedAs: 'differences export', permission: 'see' },
      schema: {
        operationId: 'deskExportDifferences',
        tags: ['Reconciliation'],
        summary: 'All differences that fit the filters, as a file',
        querystring: DifferenceFilters,
        response: { 200: FileOf('text/csv') },
      },
    },
    async ({ query }, reply) =>
      reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', 'attachment; filename="differences.csv"')
        .send(Readable.from(writeDifferences(db, queryOf(query)))),
  )
}
