import type { FastifyReply } from 'fastify'
import type { Db } from '../../platform/database/database.ts'
import { Envelope, ok } from '../../platform/http/envelope.ts'
import { RefusalError, refusals } from '../../platform/http/refusals.ts'
import type { Api } from '../../platform/http/route-types.ts'
import { FileOf } from '../../platform/http/schemas.ts'
import { type CsvTable, writeCsv } from '../../platform/write-csv.ts'
import { addDays, dayInAccra, type Period, periodProblem } from '../period.ts'
import { momentOfBalances, readBalances } from '../read-balances.ts'
import { readFloat } from '../read-float.ts'
import { readSales } from '../read-sales.ts'
import { readTaxes } from '../read-taxes.ts'
import { taxTable, viewBalances, viewFloats, viewTaxes } from '../view/view-money.ts'
import { salesTable, viewSales } from '../view/view-sales.ts'
import { Balances, BalancesQuery, Floats, PeriodQuery, Sales, SalesQuery, Taxes } from './report.schemas.ts'

const tags = ['Reports']
const see = { permission: 'see' } as const

const usualDays = 30

/**
 * The requested days, the last 30 by default.
 * @throws RefusalError 400 when the first day is in the future or after the last one, or the period is longer than three years
 */
function periodOf({ from, to = dayInAccra(new Date()) }: { from?: string; to?: string }): Period {
  const period = { from: from ?? addDays(to, 1 - usualDays), to }
  const problem = periodProblem(period)
  if (problem !== undefined) throw new RefusalError(refusals.invalidRequest(problem))
  return period
}

function sendCsv(reply: FastifyReply, name: string, table: CsvTable): FastifyReply {
  return reply
    .type('text/csv; charset=utf-8')
    .header('content-disposition', `attachment; filename="${name}.csv"`)
    .send(writeCsv(table))
}

const nameOf = (report: string, { from, to }: Period) => `${report}-${from}-to-${to}`

function registerSales(desk: Api, db: Db): void {
  desk.get(
    '/reports/sales',
    {
      config: see,
      schema: {
        operationId: 'reportSales',
        tags,
        summary: 'What was sold and earned, beside the time before',
        querystring: SalesQuery,
        response: { 200: Envelope(Sales) },
      },
    },
    async ({ query }) => ok(viewSales(await readSales(db, periodOf(query), query.by ?? 'day'))),
  )
  desk.get(
    '/reports/sales.csv',
    {
      config: { ...see, exportedAs: 'sales export' },
      schema: {
        operationId: 'exportSales',
        tags,
        summary: 'The same as a file',
        querystring: SalesQuery,
        response: { 200: FileOf('text/csv') },
      },
    },
    async ({ query }, reply) => {
      const period = periodOf(query)
      return sendCsv(reply, nameOf('sales', period), salesTable(await readSales(db, period, query.by ?? 'day')))
    },
  )
}

function registerTaxes(desk: Api, db: Db): void {
  desk.get(
    '/reports/tax',
    {
      config: see,
      schema: {
        operationId: 'reportTaxes',
        tags,
        summary: 'What the tax rates of the settings come to',
        querystring: PeriodQuery,
        response: { 200: Envelope(Taxes) },
      },
    },
    async ({ query }) => ok(viewTaxes(await readTaxes(db, periodOf(query)))),
  )
  desk.get(
    '/reports/tax.csv',
    {
      config: { ...see, exportedAs: 'tax export' },
      schema: {
        operationId: 'exportTaxes',
        tags,
        summary: 'The same as a file',
        querystring: PeriodQuery,
        response: { 200: FileOf('text/csv') },
      },
    },
    async ({ query }, reply) => {
      const period = periodOf(query)
      return sendCsv(reply, nameOf('tax', period), taxTable(await readTaxes(db, period)))
    },
  )
}

/**
 * End of a day in Accra; undefined without a day.
 * @throws RefusalError 400 for a day that has not begun
 */
function endOf(day: string | undefined): Date | undefined {
  if (day === undefined) return undefined
  if (day > dayInAccra(new Date())) throw new RefusalError(refusals.invalidRequest('The day must not be in the future.'))
  return new Date(`${addDays(day, 1)}T00:00:00Z`)
}

function registerBalances(desk: Api, db: Db): void {
  desk.get(
    '/reports/balances',
    {
      config: see,
      schema: {
        operationId: 'reportBalances',
        tags,
        summary: 'What is owed to resellers, now or at the end of a day',
        querystring: BalancesQuery,
        response: { 200: Envelope(Balances) },
      },
    },
    async ({ query: { at } }) => {
      const before = endOf(at)
      const moment = momentOfBalances(before, new Date())
      return ok({ at: moment.toISOString(), ...viewBalances(await readBalances(db, before)) })
    },
  )
  desk.get(
    '/reports/float',
    {
      config: see,
      schema: {
        operationId: 'reportFloat',
        tags,
        summary: 'What suppliers hold, and how long it lasts',
        response: { 200: Envelope(Floats) },
      },
    },
    async () => ok(viewFloats(await readFloat(db))),
  )
}

export function registerReportDeskRoutes(desk: Api, { db }: { readonly db: Db }): void {
  registerSales(desk, db)
  registerTaxes(desk, db)
  registerBalances(desk, db)
}
