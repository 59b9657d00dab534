import { lazy, Suspense, useMemo } from 'react'
import type { Schema } from '../../both/api/call-api.ts'
import { useRead } from '../../both/api/use-read.ts'
import { fieldWords } from '../../both/field-words.ts'
import { Section } from '../../both/layout/page.tsx'
import { Empty, QueryAnswer, Waiting } from '../../both/layout/query-states.tsx'
import { FileLink } from '../../both/list/file-link.tsx'
import { SortedTable } from '../../both/list/sorted-table.tsx'
import { useFilters } from '../../both/list/use-filters.ts'
import { formatCount, formatGhs } from '../../both/money/format-ghs.ts'
import { sharedWords } from '../../both/words.ts'
import { Figures } from '../frame/figures.tsx'
import { reportWords } from '../words/reports.ts'
import { figuresOfSales } from './figures-of-sales.ts'
import { HowFarCounted } from './how-far-counted.tsx'
import type { ChartLine } from './line-chart.tsx'
import { type Days, secondsOfDay, spansOf } from './period.ts'
import { PeriodFields } from './period-fields.tsx'
import css from './reports.module.css'
import { salesColumns, totalKey } from './sales-columns.tsx'

const LineChart = lazy(() => import('./line-chart.tsx'))

type SalesReport = Schema<'SalesReport'>
type Grouping = SalesReport['by']

const isGrouping = (by: string | undefined): by is Grouping => by !== undefined && by in reportWords.groupings

function useSales(days: Days, by: Grouping, isWanted = true) {
  return useRead('reports', '/desk/api/reports/sales', { ...days, by }, { enabled: isWanted })
}

/** The days of a report, drawn beside those of the period before. */
function SalesChart({ report }: { readonly report: SalesReport }) {
  const { data: before } = useSales({ from: report.before.from, to: report.before.to }, 'day')
  const seconds = useMemo(() => report.rows.map(({ key }) => secondsOfDay(key)), [report])
  const lines = useMemo((): readonly ChartLine[] => {
    const drawn = report.rows
    return [
      { title: fieldWords.sales, tone: 'accent', values: drawn.map(({ sales }) => sales) },
      { title: fieldWords.margin, tone: 'warn', values: drawn.map(({ margin }) => margin) },
      {
        title: reportWords.salesBefore,
        tone: 'soft',
        isDashed: true,
        values: drawn.map((_, index) => before?.rows[index]?.sales ?? null),
      },
    ]
  }, [report, before])
  return (
    <Suspense fallback={<Waiting lines={2} />}>
      <LineChart label={reportWords.chart} seconds={seconds} lines={lines} format={formatGhs} />
    </Suspense>
  )
}

function Remarks({ report }: { readonly report: SalesReport }) {
  const { cost_estimated: estimated, cost_unknown_orders: unknown, adjustments, ...total } = report.total
  const [spent, back] = [total.credits ?? 0, total.credits_refunded ?? 0]
  return (
    <div className={css.remarks}>
      <p>{reportWords.salesMean}</p>
      {estimated !== null && estimated !== 0 && <p>{reportWords.estimated(formatGhs(estimated))}</p>}
      {unknown !== null && unknown > 0 && <p>{reportWords.unknownCost(unknown)}</p>}
      {adjustments !== null && adjustments !== 0 && <p>{reportWords.adjustments(formatGhs(adjustments))}</p>}
      {spent + back > 0 && <p>{reportWords.credits(formatCount(spent), formatCount(back))}</p>}
      <HowFarCounted report={report} />
    </div>
  )
}

function SalesLines({ report }: { readonly report: SalesReport }) {
  const columns = useMemo(() => salesColumns(report), [report])
  const { total, before } = report
  return (
    <div className={css.scroll}>
      <SortedTable
        label={reportWords.table}
        columns={columns}
        rows={report.rows}
        keyOf={({ key }) => key}
        total={{ ...total, key: totalKey, before: before.total }}
      />
    </div>
  )
}

/** A report without lines: nothing was sold, or no day is counted yet. */
function Nothing({ counted }: Pick<SalesReport['total'], 'counted'>) {
  if (counted === 'none') return <Empty title={sharedWords.notCounted} />
  return <Empty title={reportWords.empty}>{reportWords.emptyNext}</Empty>
}

/** Sales and margin beside the period before: drawn, as a table, and as a file. */
export function SalesReportPart() {
  const { filters, setFilters } = useFilters(['from', 'to', 'by'])
  const usual = spansOf(new Date()).month
  const days = { from: filters.from ?? usual.from, to: filters.to ?? usual.to }
  const by = isGrouping(filters.by) ? filters.by : 'day'
  const query = useSales(days, by)
  return (
    <>
      <PeriodFields days={days} by={by} setFilters={setFilters} />
      <QueryAnswer query={query} lines={6}>
        {(report) => (
          <>
            <Figures label={reportWords.figures} figures={figuresOfSales(report)} />
            {by === 'day' && report.rows.length > 1 && report.total.counted !== 'none' && <SalesChart report={report} />}
            <Section
              title={reportWords.groupings[by]}
              end={
                <FileLink href={`/desk/api/reports/sales.csv?from=${days.from}&to=${days.to}&by=${by}`} label={fieldWords.csv} />
              }
            >
              {report.rows.length === 0 ? <Nothing counted={report.total.counted} /> : <SalesLines report={report} />}
            </Section>
            <Remarks report={report} />
          </>
        )}
      </QueryAnswer>
    </>
  )
}
