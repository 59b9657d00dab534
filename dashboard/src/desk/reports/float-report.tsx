import { useQuery } from '@tanstack/react-query'
import { answerOf, api } from '../../both/api/call-api.ts'
import type { components } from '../../both/api/dashboard-api.d.ts'
import { Big } from '../../both/layout/page.tsx'
import { Asked } from '../../both/layout/wait.tsx'
import { type Column, TableOrCards } from '../../both/list/table-or-cards.tsx'
import { Moment } from '../../both/moments/moment.tsx'
import { formatGhs } from '../../both/money/format-ghs.ts'
import { formatDays } from '../words/format-figures.ts'
import { reportWords } from '../words/reports.ts'

type Row = components['schemas']['FloatReport']['rows'][number]

const columns: readonly Column<Row>[] = [
  {
    title: reportWords.supplier,
    isMain: true,
    show: ({ key, enabled }) => (enabled ? key : reportWords.supplierOff(key)),
  },
  { title: reportWords.holds, isFigure: true, show: ({ float }) => (float === null ? reportWords.notKnown : formatGhs(float)) },
  { title: reportWords.perDay, isFigure: true, show: ({ cost_per_day: cost }) => formatGhs(cost) },
  { title: reportWords.daysLeft, isFigure: true, show: ({ days_left: days }) => (days === null ? '–' : formatDays(days)) },
  { title: reportWords.readAt, show: ({ read_at: at }) => (at === null ? '–' : <Moment at={at} />) },
]

/** What suppliers hold of our money, and how long it lasts at the pace of the last seven days. */
export function FloatReportPart() {
  const query = useQuery({
    queryKey: ['desk', 'reports', 'float'],
    queryFn: ({ signal }) => answerOf(() => api.GET('/desk/api/reports/float', { signal })),
  })
  return (
    <Asked query={query}>
      {({ rows, total }) => (
        <>
          <Big label={reportWords.floatTotal} value={formatGhs(total.float)} />
          <TableOrCards label={reportWords.table} columns={columns} rows={rows} keyOf={({ key }) => key} />
        </>
      )}
    </Asked>
  )
}
