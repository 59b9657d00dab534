import type { components } from '../../both/api/dashboard-api.d.ts'
import type { OrderFilterName } from '../orders/ask-orders.ts'

type SalesReport = components['schemas']['SalesReport']
type Row = SalesReport['rows'][number]
type Days = { readonly from: string; readonly to: string }

const dayMilliseconds = 24 * 3_600_000
const dayOf = (milliseconds: number) => new Date(milliseconds).toISOString().slice(0, 10)

/** The days of an ISO week such as `2026-W47`: the first week has the 4th of January, and weeks begin on Monday. */
function daysOfWeek(key: string): Days {
  const [year = 0, week = 0] = key.split('-W').map(Number)
  const fourth = new Date(Date.UTC(year, 0, 4))
  const monday = fourth.getTime() - ((fourth.getUTCDay() + 6) % 7) * dayMilliseconds + (week - 1) * 7 * dayMilliseconds
  return { from: dayOf(monday), to: dayOf(monday + 6 * dayMilliseconds) }
}

function daysOfMonth(key: string): Days {
  const [year = 0, month = 1] = key.split('-').map(Number)
  return { from: `${key}-01`, to: dayOf(Date.UTC(year, month, 0)) }
}

type Filters = Readonly<Partial<Record<OrderFilterName, string>>>

/** The filters that list the orders of a line. Undefined when no filter can, as for orders that have no supplier. */
function filtersOf(by: SalesReport['by'], { key }: Row): Filters | undefined {
  if (key === '') return {}
  if (by === 'day') return { from: key, to: key }
  if (by === 'week') return daysOfWeek(key)
  if (by === 'month') return daysOfMonth(key)
  if (by === 'supplier' && (key === 'open' || key === 'none')) return undefined
  return { [by]: key }
}

/** The address of the orders that a line counts. */
export function ordersOfLine({ from, to, by }: SalesReport, row: Row): string | undefined {
  const filters = filtersOf(by, row)
  if (filters === undefined) return undefined
  // The first and the last week or month may be cut short by the limits of the report.
  const days = {
    from: filters.from !== undefined && filters.from > from ? filters.from : from,
    to: filters.to !== undefined && filters.to < to ? filters.to : to,
  }
  return `/orders?${new URLSearchParams({ ...filters, ...days }).toString()}`
}
