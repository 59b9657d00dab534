import { TextInput } from '@mantine/core'
import { put, remove, type Schema } from '../../both/api/call-api.ts'
import { usePages, useRead } from '../../both/api/use-read.ts'
import { fieldWords } from '../../both/field-words.ts'
import { Act } from '../../both/form/act.tsx'
import { bindText } from '../../both/form/typed.ts'
import { Section } from '../../both/layout/page.tsx'
import { PagedTable } from '../../both/list/paged-table.tsx'
import type { Column } from '../../both/list/table-or-cards.tsx'
import { useFilters } from '../../both/list/use-filters.ts'
import { Moment } from '../../both/moments/moment.tsx'
import { cleanPhone, groupDigits } from '../../both/phones.ts'
import { useMay } from '../me.ts'
import { numberWords as words } from '../words/numbers.ts'
import css from './numbers.module.css'

type Ported = Schema<'PortedNumber'>

function NoteNumber() {
  const operators = useRead('numbers', '/desk/api/numbers/prefixes').data?.operators ?? []
  return (
    <Act
      label={words.note}
      question={words.noteQuestion}
      topics={['numbers']}
      fields={{
        number: { kind: 'text', label: fieldWords.number, isNeeded: true, inputMode: 'numeric' },
        operator: { kind: 'choice', label: words.operator, options: operators.map((value) => ({ value, label: value })) },
      }}
      run={(_reason, { number, operator }) => put('/desk/api/numbers/ported/{number}', { number: cleanPhone(number), operator })}
      effect={() => <p>{words.noteHelp}</p>}
    />
  )
}

function RemoveNumber({ row: { number, network } }: { readonly row: Ported }) {
  return (
    <Act
      label={fieldWords.remove}
      button={{ size: 'compact-sm', 'aria-label': `${fieldWords.remove} ${groupDigits(number)}` }}
      question={words.removeQuestion(groupDigits(number))}
      isGrave
      topics={['numbers']}
      run={() => remove('/desk/api/numbers/ported/{number}', { number })}
    >
      <p>{words.removeHelp(network)}</p>
    </Act>
  )
}

const columns: readonly Column<Ported>[] = [
  { title: fieldWords.number, show: ({ number }) => groupDigits(number), isMain: true },
  { title: words.operator, show: ({ network }) => network },
  { title: fieldWords.since, show: ({ recorded_at: at }) => <Moment at={at} /> },
]
const columnsToChange: readonly Column<Ported>[] = [
  ...columns,
  { title: fieldWords.remove, show: (row) => <RemoveNumber row={row} />, isFigure: true },
]

const filterNames = ['number'] as const

/** Numbers that were ported to another network: found by their first digits, added and removed. */
export function PortedSection() {
  const mayChange = useMay('manage_catalogue')
  const { filters, setFilters } = useFilters(filterNames)
  const digits = cleanPhone(filters.number ?? '').slice(0, 10)
  const begins = /^0\d*$/.test(digits) ? digits : undefined
  const query = usePages('numbers', '/desk/api/numbers/ported', { begins })
  return (
    <Section title={words.ported}>
      <p className="soft fine">{words.portedHelp}</p>
      <div className={css.bar}>
        <TextInput
          type="search"
          label={words.search}
          inputMode="numeric"
          {...bindText(filters.number ?? '', (value) => setFilters({ number: value }))}
        />
        {mayChange && <NoteNumber />}
      </div>
      <PagedTable
        query={query}
        rowsOf={({ numbers }) => numbers}
        more={words.more}
        label={words.ported}
        columns={mayChange ? columnsToChange : columns}
        keyOf={({ number }) => number}
        empty={{ title: words.empty, next: words.emptyNext }}
      />
    </Section>
  )
}
