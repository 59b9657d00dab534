import { type Pesewas, pesewas } from '../../money/pesewas.ts'
import type { Db } from '../../platform/database/database.ts'
import { readFloat, type SupplierFloat } from '../read-float.ts'
import { readSales, type SalesReport } from '../read-sales.ts'
import { figuresOf, noSums, type SalesFigures } from '../sales-figures.ts'
import { createHourReader, type HourSales } from './read-hours.ts'

const hourMilliseconds = 3_600_000
const dayMilliseconds = 24 * hourMilliseconds
const weekMilliseconds = 7 * dayMilliseconds
const hoursOfDay = 24

/** The desks that one process serves share a read of the database for this time. */
const sharedMilliseconds = 5_000

/** The business of today beside that of the same weekday last week. */
export type DeskToday = {
  readonly day: string
  readonly dayBefore: string
  /** Sales so far, and up to the same time last week, before refunds as in reports. */
  readonly sales: Pesewas
  readonly orders: number
  readonly salesBefore: Pesewas
  readonly ordersBefore: number
  /** Sales by hour: today up to the present hour, last week all 24. */
  readonly hours: readonly HourSales[]
  readonly hoursBefore: readonly HourSales[]
  /** The figures of today, and of the whole day last week, as the reports have them. Null while the day is not counted. */
  readonly figures: SalesFigures | null
  readonly figuresBefore: SalesFigures | null
  readonly networks: readonly NetworkToday[]
  readonly floats: readonly SupplierFloat[]
} & Pick<SalesReport, 'asOf' | 'countedFrom'>

type NetworkToday = { readonly network: string; readonly figures: SalesFigures | null; readonly before: SalesFigures | null }

const dayOf = (moment: number) => new Date(moment).toISOString().slice(0, 10)
const sumOf = (hours: readonly HourSales[]) =>
  hours.reduce((sum, { orders, sales }) => ({ orders: sum.orders + orders, sales: sum.sales + sales }), { orders: 0, sales: 0 })

/** The networks of both days. A network without sales on a day has figures of 0 for it, or null while the day is not counted. */
function pairNetworks(report: SalesReport, reportBefore: SalesReport): NetworkToday[] {
  const figuresIn = ({ rows, total }: SalesReport) => {
    const known = new Map(rows.map(({ key, figures }) => [key, figures]))
    return (network: string) => known.get(network) ?? figuresOf(noSums, total === null ? 'none' : 'all')
  }
  const [figures, before] = [figuresIn(report), figuresIn(reportBefore)]
  return [...new Set([...reportBefore.rows, ...report.rows].map(({ key }) => key))]
    .map((network) => ({ network, figures: figures(network), before: before(network) }))
    .toSorted((one, other) => (other.figures?.salesPesewas ?? 0) - (one.figures?.salesPesewas ?? 0))
}

/** Reads the business of today. A day in Accra, whose time is UTC, begins with the day of UTC. */
async function readNow(db: Db, hours: ReturnType<typeof createHourReader>, now: number): Promise<DeskToday> {
  const begin = Math.floor(now / dayMilliseconds) * dayMilliseconds
  const hour = Math.floor(now / hourMilliseconds) * hourMilliseconds
  const day = dayOf(begin)
  const dayBefore = dayOf(begin - weekMilliseconds)
  const today = await hours.readHours(begin, hour + hourMilliseconds)
  const before = await hours.readHours(begin - weekMilliseconds, begin - weekMilliseconds + dayMilliseconds)
  const partBefore = await hours.readPart(hour - weekMilliseconds, now - weekMilliseconds)
  const report = await readSales(db, { from: day, to: day }, 'network')
  const reportBefore = await readSales(db, { from: dayBefore, to: dayBefore }, 'network')
  const { floats } = await readFloat(db)
  const soldBefore = sumOf([...before.slice(0, (hour - begin) / hourMilliseconds), partBefore])
  const sold = sumOf(today)
  return {
    day,
    dayBefore,
    sales: pesewas(sold.sales),
    orders: sold.orders,
    salesBefore: pesewas(soldBefore.sales),
    ordersBefore: soldBefore.orders,
    hours: today,
    hoursBefore: before.slice(0, hoursOfDay),
    figures: report.total,
    figuresBefore: reportBefore.total,
    networks: pairNetworks(report, reportBefore),
    floats,
    asOf: report.asOf,
    countedFrom: report.countedFrom,
  }
}

/**
 * Makes a reader of today's business. It asks the database once in `sharedMilliseconds`, or again after a failure, however many
 * desks ask it.
 */
export function createTodayReader(db: Db): () => Promise<DeskToday> {
  const hours = createHourReader(db)
  let shared: { readonly reading: Promise<DeskToday>; readonly at: number } | undefined
  return () => {
    const now = Date.now()
    if (shared && now - shared.at < sharedMilliseconds) return shared.reading
    const reading = readNow(db, hours, now)
    shared = { reading, at: now }
    reading.catch(() => {
      shared = undefined
    })
    return reading
  }
}
