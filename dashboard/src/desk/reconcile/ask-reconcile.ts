import type { components, paths } from '../../both/api/dashboard-api.d.ts'
import { pageRows, usePages, useRead } from '../../both/api/use-read.ts'

type Schemas = components['schemas']
export type Difference = Schemas['Difference']
export type StatementRow = Schemas['StatementList']['statements'][number]
export type FloatDay = Schemas['FloatDays']['days'][number]

/** The filters of the list of differences, as the address has them. */
export type DifferenceFilters = NonNullable<paths['/desk/api/reconcile/differences.csv']['get']['parameters']['query']>

export const useDifferences = (filters: DifferenceFilters) =>
  usePages('reconcile', '/desk/api/reconcile/differences', { ...filters, limit: pageRows })

export const useDifference = (id: string) =>
  useRead('reconcile', '/desk/api/reconcile/differences/{difference_id}', { difference_id: id })

export const useOpenSums = () => useRead('reconcile', '/desk/api/reconcile/open')

export const useStatements = () => usePages('reconcile', '/desk/api/reconcile/statements', { limit: pageRows })

export const useStatement = (id: string) =>
  useRead('reconcile', '/desk/api/reconcile/statements/{statement_id}', { statement_id: id })

/** The suppliers that orders are sent to: those that send statements and hold a float of ours. */
export const useFulfillers = () =>
  useRead(
    'suppliers',
    '/desk/api/suppliers',
    {},
    { select: ({ suppliers }) => suppliers.filter(({ role }) => role === 'orders').map(({ supplier }) => supplier) },
  )

export const useFloatDays = (supplier: string, days: number) =>
  useRead('reconcile', '/desk/api/reconcile/float', { supplier, days }, { enabled: supplier !== '' })
