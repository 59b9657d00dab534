import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { answerOf, api } from '../../both/api/call-api.ts'
import type { components, paths } from '../../both/api/dashboard-api.d.ts'

type Schemas = components['schemas']
export type Difference = Schemas['Difference']
export type StatementRow = Schemas['StatementList']['statements'][number]
export type FloatDay = Schemas['FloatDays']['days'][number]

/** The filters of the list of differences, as the address has them. */
export type DifferenceFilters = NonNullable<paths['/desk/api/reconcile/differences.csv']['get']['parameters']['query']>

const pageSize = 50

export const useDifferences = (filters: DifferenceFilters) =>
  useInfiniteQuery({
    queryKey: ['reconcile', 'differences', filters],
    queryFn: ({ pageParam: after, signal }) =>
      answerOf(() =>
        api.GET('/desk/api/reconcile/differences', {
          params: { query: { ...filters, limit: pageSize, ...(after !== undefined && { after }) } },
          signal,
        }),
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
  })

export const useDifference = (id: string) =>
  useQuery({
    queryKey: ['reconcile', 'difference', id],
    queryFn: ({ signal }) =>
      answerOf(() =>
        api.GET('/desk/api/reconcile/differences/{difference_id}', { params: { path: { difference_id: id } }, signal }),
      ),
  })

export const useOpenSums = () =>
  useQuery({
    queryKey: ['reconcile', 'open'],
    queryFn: ({ signal }) => answerOf(() => api.GET('/desk/api/reconcile/open', { signal })),
  })

export const useStatements = () =>
  useInfiniteQuery({
    queryKey: ['reconcile', 'statements'],
    queryFn: ({ pageParam: after, signal }) =>
      answerOf(() =>
        api.GET('/desk/api/reconcile/statements', {
          params: { query: { limit: pageSize, ...(after !== undefined && { after }) } },
          signal,
        }),
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
  })

export const useStatement = (id: string) =>
  useQuery({
    queryKey: ['reconcile', 'statement', id],
    queryFn: ({ signal }) =>
      answerOf(() =>
        api.GET('/desk/api/reconcile/statements/{statement_id}', { params: { path: { statement_id: id } }, signal }),
      ),
  })

/** The suppliers that orders are sent to: those that send statements and hold a float of ours. */
export const useFulfillers = () =>
  useQuery({
    queryKey: ['suppliers', 'list'],
    queryFn: ({ signal }) => answerOf(() => api.GET('/desk/api/suppliers', { signal })),
    select: ({ suppliers }) => suppliers.filter(({ role }) => role === 'orders').map(({ supplier }) => supplier),
  })

export const useFloatDays = (supplier: string, days: number) =>
  useQuery({
    queryKey: ['reconcile', 'float', supplier, days],
    queryFn: ({ signal }) =>
      answerOf(() => api.GET('/desk/api/reconcile/float', { params: { query: { supplier, days } }, signal })),
    enabled: supplier !== '',
  })
