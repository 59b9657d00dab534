import type { Schema } from '../../both/api/call-api.ts'
import { useRead } from '../../both/api/use-read.ts'
import { countedWords } from '../../both/counted-words.ts'
import { fieldWords } from '../../both/field-words.ts'
import { Big, Section } from '../../both/layout/page.tsx'
import { Empty, QueryAnswer } from '../../both/layout/query-states.tsx'
import { FileLink } from '../../both/list/file-link.tsx'
import { SortedTable } from '../../both/list/sorted-table.tsx'
import type { Column } from '../../both/list/table-or-cards.tsx'
import { useFilters } from '../../both/list/use-filters.ts'
import { showDay } from '../../both/moments/format-moment.ts'
import { formatCounted } from '../../both/money/format-ghs.ts'
import { reportWords } from '../words/reports.ts'
import { HowFarCounted } from './how-far-counted.tsx'
import { spansOf } from './period.ts'
import { PeriodFields } from './period-fields.tsx'
import css from './reports.module.css'

type TaxReport = Schema<'TaxReport'>
type Row = TaxReport['rows'][number]

const show = (amount: number | null, isAtMost: boolean) =>
  isAtMost ? reportWords.atMost(formatCounted(amount)) : formatCounted(amount)

/** The title of the sum, with the first counted day where earlier days are not counted. */
const titleOf = ({ total, counted_from: from }: TaxReport) =>
  total.counted === 'part' && from !== null
    ? `${reportWords.taxTotal} ${countedWords.since(showDay(from))}`
    : reportWords.taxTotal

const columns: readonly Column<Row>[] = [
  { title: reportWords.rate, isMain: true, sortBy: ({ key }) => key, show: ({ key }) => key },
  {
    title: fieldWords.percent,
    isFigure: true,
    sortBy: ({ percent }) => percent,
    show: ({ percent, is_included: isIncluded }) => `${percent} %${isIncluded ? `, ${reportWords.included}` : ''}`,
  },
  {
    title: reportWords.base,
    sortBy: ({ on }) => reportWords.bases[on] ?? on,
    show: ({ on }) => reportWords.bases[on] ?? on,
  },
  {
    title: fieldWords.amount,
    isFigure: true,
    sortBy: ({ base }) => base,
    show: ({ base, is_at_most: isAtMost }) => show(base, isAtMost),
  },
  {
    title: reportWords.tax,
    isFigure: true,
    sortBy: ({ tax }) => tax,
    show: ({ tax, is_at_most: isAtMost }) => show(tax, isAtMost),
  },
]

/** The taxes of a period, computed from its figures with the tax rates of the settings. */
export function TaxReportPart() {
  const { filters, setFilters } = useFilters(['from', 'to', 'by'])
  const usual = spansOf(new Date()).lastMonth
  const days = { from: filters.from ?? usual.from, to: filters.to ?? usual.to }
  const query = useRead('reports', '/desk/api/reports/tax', { ...days })
  return (
    <>
      <PeriodFields days={days} setFilters={setFilters} />
      <QueryAnswer query={query}>
        {(report) =>
          report.rows.length === 0 ? (
            <Empty title={reportWords.noRates}>{reportWords.noRatesNext}</Empty>
          ) : (
            <>
              <Big label={titleOf(report)} value={show(report.total.tax, report.total.is_at_most)} />
              <Section
                title={reportWords.kinds.tax}
                end={<FileLink href={`/desk/api/reports/tax.csv?from=${days.from}&to=${days.to}`} label={fieldWords.csv} />}
              >
                <SortedTable label={reportWords.table} columns={columns} rows={report.rows} keyOf={({ key }) => key} />
                <div className={css.remarks}>
                  {report.total.is_at_most && <p>{reportWords.taxAtMost}</p>}
                  <HowFarCounted report={report} />
                </div>
              </Section>
            </>
          )
        }
      </QueryAnswer>
    </>
  )
}
