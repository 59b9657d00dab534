import { Readable } from 'node:stream'
import type { Static } from 'typebox'
import { ghs, pesewas, pesewasFromGhs } from '../money/pesewas.ts'
import type { Db } from '../platform/database/database.ts'
import { inTransaction } from '../platform/database/in-transaction.ts'
import type { Api } from '../platform/http/api.ts'
import { Envelope, ok } from '../platform/http/envelope.ts'
import { RefusalError, refuse } from '../platform/http/refusals.ts'
import { FileOf } from '../platform/http/schemas.ts'
import type { Settings } from '../platform/settings/settings.ts'
import { writeCsvHead, writeCsvRows } from '../platform/write-csv.ts'
import { compareFloats, daysBetween } from './compare-floats.ts'
import { assignDifference, closeDifference } from './explain-difference.ts'
import { countOpenDifferences, type DifferenceQuery, listDifferences } from './list-differences.ts'
import {
  AssignBody,
  CloseBody,
  Difference,
  DifferenceFilters,
  DifferenceList,
  DifferenceListQuery,
  DifferencePath,
  FloatDays,
  FloatDaysQuery,
  OpenDifferenceSums,
} from './reconciliation.schemas.ts'
import { floatDriftTolerance } from './reconciliation.settings.ts'
import { differenceColumns, viewDayOfFloat, viewDifferenceRow, viewOpenDifferences } from './view-reconciliation.ts'

export type DifferenceDeskDeps = {
  readonly db: Db
  readonly settings: Settings
  /** Lists the people whom a difference can be assigned to. Passed in, because this folder may not import persons. */
  readonly listReconcilers: () => Promise<readonly { readonly name: string; readonly email: string }[]>
}

const tags = ['Reconciliation']
const differenceNotFound = refuse(404, 'difference_not_found', 'There is no such difference.')
const dayMilliseconds = 24 * 3_600_000
const rowsAtATime = 500

function queryOf(filters: Static<typeof DifferenceFilters>): Omit<DifferenceQuery, 'limit'> {
  const { supplier, kind, state, statement_id: statementId, assigned_to: assignedTo, reference } = filters
  return { supplier, kind, statementId, assignedTo, reference, isOpen: state === 'open', isClosed: state === 'closed' }
}

async function readOne(db: Db, id: string) {
  const [found] = await listDifferences(db, { id, limit: 1 })
  if (!found) throw new RefusalError(differenceNotFound)
  return viewDifferenceRow(found)
}

async function* writeDifferences(db: Db, query: Omit<DifferenceQuery, 'limit'>): AsyncGenerator<string> {
  const columns = differenceColumns
  yield writeCsvHead(columns)
  let after: string | undefined
  for (;;) {
    const rows = await listDifferences(db, { ...query, after, limit: rowsAtATime })
    yield writeCsvRows({ columns, rows: rows.map(viewDifferenceRow).map(({ at, ...view }) => ({ ...view, time: at })) })
    after = rows.at(-1)?.id
    if (rows.length < rowsAtATime) return
  }
}

function registerLists(desk: Api, { db, listReconcilers }: DifferenceDeskDeps): void {
  desk.get(
    '/reconcile/differences',
    {
      config: { permission: 'see' },
      schema: {
        operationId: 'deskListDifferences',
        tags,
        summary: 'What statements and our books say differently, newest first',
        querystring: DifferenceListQuery,
        response: { 200: Envelope(DifferenceList) },
      },
    },
    async ({ query: { after, limit, ...filters } }) => {
      const rows = await listDifferences(db, { ...queryOf(filters), after, limit: limit + 1 })
      const differences = rows.slice(0, limit).map(viewDifferenceRow)
      const next = rows.length > limit ? (differences.at(-1)?.difference_id ?? null) : null
      return ok({ differences, next })
    },
  )
  desk.get(
    '/reconcile/differences.csv',
    {
      config: { exportedAs: 'differences export', permission: 'see' },
      schema: {
        operationId: 'deskExportDifferences',
        tags,
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
  desk.get(
    '/reconcile/open',
    {
      config: { permission: 'see' },
      schema: {
        operationId: 'deskSumOpenDifferences',
        tags,
        summary: 'How many differences are open, by supplier and kind, and who may find out',
        response: { 200: Envelope(OpenDifferenceSums) },
      },
    },
    async () => {
      const [open, people] = await Promise.all([countOpenDifferences(db), listReconcilers()])
      return ok({ sums: open.map(viewOpenDifferences), people: [...people] })
    },
  )
}

function registerOne(desk: Api, { db }: DifferenceDeskDeps): void {
  desk.get(
    '/reconcile/differences/:difference_id',
    {
      config: { permission: 'see', refusals: [404] },
      schema: {
        operationId: 'deskReadDifference',
        tags,
        summary: 'One difference',
        params: DifferencePath,
        response: { 200: Envelope(Difference) },
      },
    },
    async ({ params }) => ok(await readOne(db, params.difference_id)),
  )
  desk.post(
    '/reconcile/differences/:difference_id/assign',
    {
      config: { permission: 'reconcile', refusals: [404, 409] },
      schema: {
        operationId: 'deskAssignDifference',
        tags,
        summary: 'Ask a person to find out about a difference',
        params: DifferencePath,
        body: AssignBody,
        response: { 200: Envelope(Difference) },
      },
    },
    async ({ params: { difference_id: id }, body: { to }, staff }) => {
      await readOne(db, id)
      await inTransaction(db, (tx) => assignDifference(tx, { id, to, by: staff.actor }))
      return ok(await readOne(db, id))
    },
  )
  desk.post(
    '/reconcile/differences/:difference_id/close',
    {
      config: { permission: 'reconcile', refusals: [404, 409] },
      schema: {
        operationId: 'deskCloseDifference',
        tags,
        summary: 'Close a difference that somebody has explained',
        params: DifferencePath,
        body: CloseBody,
        response: { 200: Envelope(Difference) },
      },
    },
    async ({ params: { difference_id: id }, body: { reason }, staff }) => {
      await readOne(db, id)
      await inTransaction(db, (tx) => closeDifference(tx, { id, reason, by: staff.actor }))
      return ok(await readOne(db, id))
    },
  )
}

function registerFloatDays(desk: Api, { db, settings }: DifferenceDeskDeps): void {
  desk.get(
    '/reconcile/float',
    {
      config: { permission: 'see' },
      schema: {
        operationId: 'deskCompareFloat',
        tags,
        summary: 'How a float moved each day, and how it should have moved by our books',
        querystring: FloatDaysQuery,
        response: { 200: Envelope(FloatDays) },
      },
    },
    async ({ query: { supplier, days } }) => {
      const now = new Date()
      const wanted = daysBetween(new Date(now.getTime() - (days - 1) * dayMilliseconds), now)
      const compared = await compareFloats(db, supplier, wanted)
      const tolerance = ghs(pesewasFromGhs(await settings.read(floatDriftTolerance)) ?? pesewas(0))
      return ok({ tolerance, days: compared.map(viewDayOfFloat) })
    },
  )
}

export function registerDifferenceDeskRoutes(desk: Api, deps: DifferenceDeskDeps): void {
  registerLists(desk, deps)
  registerOne(desk, deps)
  registerFloatDays(desk, deps)
}
