import type { components } from '../../both/api/dashboard-api.d.ts'
import { useRead } from '../../both/api/use-read.ts'

type Schemas = components['schemas']
export type DeskSupplier = Schemas['DeskSupplier']
export type DeskRoute = Schemas['DeskRoute']
export type Health = Schemas['SupplierHealthList']
export type SupplierHours = Health['suppliers'][number]
export type HourOfSupplier = SupplierHours['by_hour'][number]
export type FloatPace = Health['floats'][number]

/** The worker counts the figures once a minute. They are read more often, so that new ones are shown soon. */
const countedMilliseconds = 20_000

/** The routes are read this often, because the number of their orders changes without any change of a route. */
const ordersMilliseconds = 5_000

export const useSuppliers = () => useRead('suppliers', '/desk/api/suppliers')

/** The figures of all suppliers, or of the named one, over the last `hours` hours. */
export const useHealth = (hours: number, supplier?: string) =>
  useRead('suppliers', '/desk/api/suppliers/health', { hours, supplier }, { refetchInterval: countedMilliseconds })

export const useRoutes = () => useRead('suppliers', '/desk/api/routes', {}, { refetchInterval: ordersMilliseconds })

export const useFloat = (supplier: string, days: number) =>
  useRead('suppliers', '/desk/api/suppliers/{supplier}/float', { supplier, days })
