import { Button, NativeSelect, TextInput } from '@mantine/core'
import { bindText } from '../../both/form/typed.ts'
import { choicesOf } from '../../both/list/filter-bar.tsx'
import type { Filters } from '../../both/list/use-filters.ts'
import { reportWords } from '../words/reports.ts'
import { type Days, spansOf } from './period.ts'
import css from './reports.module.css'

export type PeriodFilterName = 'from' | 'to' | 'by'

type Props = {
  readonly days: Days
  /** The chosen grouping. Absent: the report cannot be grouped. */
  readonly by?: keyof typeof reportWords.groupings
  readonly setFilters: (change: Filters<PeriodFilterName>) => void
}

export function PeriodFields({ days, by, setFilters }: Props) {
  const spans = Object.entries(spansOf(new Date())) as [keyof typeof reportWords.spans, Days][]
  const dayField = (name: 'from' | 'to', bounds: { readonly min?: string; readonly max?: string }) => (
    <TextInput
      type="date"
      label={reportWords[name]}
      {...bounds}
      {...bindText(days[name], (day) => day !== '' && setFilters({ [name]: day }))}
    />
  )
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
        {dayField('from', { max: days.to })}
        {dayField('to', { min: days.from })}
        {by !== undefined && (
          <NativeSelect
            label={reportWords.by}
            value={by}
            data={choicesOf(reportWords.groupings)}
            onChange={({ currentTarget }) => setFilters({ by: currentTarget.value })}
          />
        )}
      </div>
    </>
  )
}
