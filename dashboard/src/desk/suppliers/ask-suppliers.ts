import { useQuery } from '@tanstack/react-query'
import { answerOf, api } from '../../both/api/call-api.ts'
import type { components } from '../../both/api/dashboard-api.d.ts'

type Schemas = components['schemas']
export type DeskSupplier = Schemas['DeskSupplier']
export type DeskRoute = Schemas['DeskRoute']
export type Health = Schemas['SupplierHealthList']
export type SupplierHours = Health['suppliers'][number]
export type HourOfSupplier = SupplierHours['by_hour'][number]
export type FloatPace = Health['floats'][number]

/** The figures are read this often, because the worker counts them anew once a minute. */
const countedMilliseconds = 20_000

/** The routes are read this often, because the number of their orders changes without any change of a route. */
const ordersMilliseconds = 5_000

export const useSuppliers = () =>
  useQuery({
    queryKey: ['suppliers', 'list'],
    queryFn: ({ signal }) => answerOf(() => api.GET('/desk/api/suppliers', { signal })),
  })

/** The figures of all suppliers over the last hours, or of the named one. */
export const useHealth = (hours: number, supplier?: string) =>
  useQuery({
    queryKey: ['suppliers', 'health', hours, supplier],
    queryFn: ({ signal }) =>
      answerOf(() =>
        api.GET('/desk/api/suppliers/health', {
          params: { query: { hours, ...(supplier !== undefined && { supplier }) } },
          signal,
        }),
      ),
    refetchInterval: countedMilliseconds,
  })

export const useRoutes = () =>
  useQuery({
    queryKey: ['suppliers', 'routes'],
    queryFn: ({ signal }) => answerOf(() => api.GET('/desk/api/routes', { signal })),
    refetchInterval: ordersMilliseconds,
  })

export const useFloat = (supplier: string, days: number) =>
  useQuery({
    queryKey: ['suppliers', 'float', supplier, days],
    queryFn: ({ signal }) =>
      answerOf(() =>
        api.GET('/desk/api/suppliers/{supplier}/float', { params: { path: { supplier }, query: { days } }, signal }),
      ),
  })
