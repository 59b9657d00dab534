import type { Schema } from '../../both/api/call-api.ts'
import { useRead } from '../../both/api/use-read.ts'
import { fieldWords } from '../../both/field-words.ts'
import { Big } from '../../both/layout/page.tsx'
import { QueryAnswer } from '../../both/layout/query-states.tsx'
import { SortedTable } from '../../both/list/sorted-table.tsx'
import type { Column } from '../../both/list/table-or-cards.tsx'
import { Moment } from '../../both/moments/moment.tsx'
import { formatCounted } from '../../both/money/format-ghs.ts'
import { formatDays } from '../words/format-figures.ts'
import { reportWords } from '../words/reports.ts'
import { HowFarCounted } from './how-far-counted.tsx'
import css from './reports.module.css'

type Row = Schema<'FloatReport'>['rows'][number]

const columns: readonly Column<Row>[] = [
  {
    title: fieldWords.supplier,
    isMain: true,
    sortBy: ({ key }) => key,
    show: ({ key, enabled }) => (enabled ? key : reportWords.supplierOff(key)),
  },
  {
    title: reportWords.holds,
    isFigure: true,
    sortBy: ({ float }) => float,
    show: ({ float }) => formatCounted(float, reportWords.notKnown),
  },
  {
    title: reportWords.perDay,
    isFigure: true,
    sortBy: ({ cost_per_day: cost }) => cost,
    show: ({ cost_per_day: cost }) => formatCounted(cost),
  },
  {
    title: reportWords.daysLeft,
    isFigure: true,
    sortBy: ({ days_left: days }) => days,
    show: ({ days_left: days }) => (days === null ? '–' : formatDays(days)),
  },
  {
    title: reportWords.readAt,
    sortBy: ({ read_at: at }) => at,
    show: ({ read_at: at }) => (at === null ? '–' : <Moment at={at} />),
  },
]

export function FloatReportPart() {
  const query = useRead('reports', '/desk/api/reports/float')
  return (
    <QueryAnswer query={query}>
      {({ rows, total, ...report }) => (
        <>
          <Big label={reportWords.floatTotal} value={formatCounted(total.float, reportWords.notKnown)} />
          <SortedTable label={reportWords.table} columns={columns} rows={rows} keyOf={({ key }) => key} />
          {report.counted !== 'all' && (
            <div className={css.remarks}>
              {report.counted === 'part' && <p>{reportWords.paceInPart}</p>}
              <HowFarCounted report={report} />
            </div>
          )}
        </>
      )}
    </QueryAnswer>
  )
}
