import { Button, NativeSelect, TextInput } from '@mantine/core'
import type { Filters } from '../../both/list/use-filters.ts'
import { reportWords } from '../words/reports.ts'
import { type Days, spansOf } from './period.ts'
import css from './reports.module.css'

export type PeriodFilterName = 'from' | 'to' | 'by'

type Props = {
  readonly days: Days
  /** The chosen grouping. Absent for a report with only one form. */
  readonly by?: keyof typeof reportWords.groupings
  readonly setFilters: (change: Filters<PeriodFilterName>) => void
}

export function PeriodFields({ days, by, setFilters }: Props) {
  const spans = Object.entries(spansOf(new Date())) as [keyof typeof reportWords.spans, Days][]
  return (
    <>
      <div className={css.spans}>
        {spans.map(([name, { from, to }]) => (
          <Button
            key={name}
            variant={from === days.from && to === days.to ? 'filled' : 'light'}
            aria-pressed={from === days.from && to === days.to}
            onClick={() => setFilters({ from, to })}
          >
            {reportWords.spans[name]}
          </Button>
        ))}
      </div>
      <div className={css.filters}>
        <TextInput
          type="date"
          label={reportWords.from}
          value={days.from}
          max={days.to}
          onChange={({ currentTarget }) => currentTarget.value !== '' && setFilters({ from: currentTarget.value })}
        />
        <TextInput
          type="date"
          label={reportWords.to}
          value={days.to}
          min={days.from}
          onChange={({ currentTarget }) => currentTarget.value !== '' && setFilters({ to: currentTarget.value })}
        />
        {by !== undefined && (
          <NativeSelect
            label={reportWords.by}
            value={by}
            data={Object.entries(reportWords.groupings).map(([value, label]) => ({ value, label }))}
            onChange={({ currentTarget }) => setFilters({ by: currentTarget.value })}
          />
        )}
      </div>
    </>
  )
}
