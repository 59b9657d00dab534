import { TextInput } from '@mantine/core'
import type { Schema } from '../../both/api/call-api.ts'
import { useRead } from '../../both/api/use-read.ts'
import { fieldWords } from '../../both/field-words.ts'
import { Big, Section } from '../../both/layout/page.tsx'
import { QueryAnswer } from '../../both/layout/query-states.tsx'
import { type Column, TableOrCards } from '../../both/list/table-or-cards.tsx'
import { useFilters } from '../../both/list/use-filters.ts'
import { dayOf, exactMoment } from '../../both/moments/format-moment.ts'
import { formatCount, formatGhs } from '../../both/money/format-ghs.ts'
import { nameOfKey, reportWords } from '../words/reports.ts'
import css from './reports.module.css'

type Row = Schema<'BalancesReport'>['rows'][number]

const columns: readonly Column<Row>[] = [
  { title: reportWords.purse, isMain: true, show: ({ key }) => nameOfKey(key) },
  {
    title: fieldWords.balance,
    isFigure: true,
    show: ({ balance, unit }) => (unit === 'GHS' ? formatGhs(balance) : formatCount(balance)),
  },
]

/** Our debts to resellers, now or at the end of a past day. */
export function OwedReportPart() {
  const { filters, setFilters } = useFilters(['at'])
  const { at } = filters
  const query = useRead('reports', '/desk/api/reports/balances', { at })
  return (
    <>
      <div className={css.filters}>
        <TextInput
          type="date"
          label={reportWords.at}
          value={at ?? ''}
          max={dayOf(new Date())}
          onChange={({ currentTarget }) => setFilters({ at: currentTarget.value })}
        />
      </div>
      <QueryAnswer query={query}>
        {({ rows, total, at: moment }) => (
          <Section title={exactMoment(moment)}>
            <Big label={reportWords.owedNow} value={formatGhs(total.owed)} />
            <TableOrCards label={reportWords.table} columns={columns} rows={rows} keyOf={({ key }) => key} />
          </Section>
        )}
      </QueryAnswer>
    </>
  )
}
