import { NativeSelect, TextInput } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { answerOf, api } from '../../both/api/call-api.ts'
import type { components } from '../../both/api/dashboard-api.d.ts'
import { Act } from '../../both/form/act.tsx'
import { Section } from '../../both/layout/page.tsx'
import { Empty } from '../../both/layout/wait.tsx'
import { MorePages } from '../../both/list/more-pages.tsx'
import { type Column, TableOrCards } from '../../both/list/table-or-cards.tsx'
import { useFilters } from '../../both/list/use-filters.ts'
import { Moment } from '../../both/moments/moment.tsx'
import { cleanPhone, showPhone } from '../../both/phones.ts'
import { useMay } from '../me.ts'
import { numberWords as words } from '../words/numbers.ts'
import css from './numbers.module.css'

type Ported = components['schemas']['PortedNumber']

const pathOf = (number: string) => ({ params: { path: { number } } })

function NoteNumber() {
  const [number, setNumber] = useState('')
  const [operator, setOperator] = useState('')
  const query = useQuery({
    queryKey: ['numbers', 'prefixes'],
    queryFn: ({ signal }) => answerOf(() => api.GET('/desk/api/numbers/prefixes', { signal })),
  })
  const operators = query.data?.operators ?? []
  const chosen = operator === '' ? (operators[0] ?? '') : operator
  return (
    <Act
      label={words.note}
      question={words.noteQuestion}
      action={words.note}
      topics={['numbers']}
      run={() =>
        answerOf(() =>
          api.PUT('/desk/api/numbers/ported/{number}', { ...pathOf(cleanPhone(number)), body: { operator: chosen } }),
        )
      }
      onDone={() => setNumber('')}
    >
      <div className={css.form}>
        <TextInput
          label={words.number}
          inputMode="numeric"
          required
          value={number}
          onChange={({ currentTarget }) => setNumber(currentTarget.value)}
        />
        <NativeSelect
          label={words.operator}
          data={[...operators]}
          value={chosen}
          onChange={({ currentTarget }) => setOperator(currentTarget.value)}
        />
        <p>{words.noteHelp}</p>
      </div>
    </Act>
  )
}

function RemoveNumber({ row: { number, network } }: { readonly row: Ported }) {
  return (
    <Act
      label={words.remove}
      button={{ size: 'compact-sm', 'aria-label': `${words.remove} ${showPhone(number)}` }}
      question={words.removeQuestion(showPhone(number))}
      isGrave
      topics={['numbers']}
      run={() => answerOf(() => api.DELETE('/desk/api/numbers/ported/{number}', pathOf(number)))}
    >
      <p>{words.removeHelp(network)}</p>
    </Act>
  )
}

const columns: readonly Column<Ported>[] = [
  { title: words.number, show: ({ number }) => showPhone(number), isMain: true },
  { title: words.operator, show: ({ network }) => network },
  { title: words.since, show: ({ recorded_at: at }) => <Moment at={at} /> },
]
const columnsToChange: readonly Column<Ported>[] = [
  ...columns,
  { title: words.remove, show: (row) => <RemoveNumber row={row} />, isFigure: true },
]

const filterNames = ['number'] as const

/** Numbers that were ported to another network: found by their first digits, added and removed. */
export function PortedSection() {
  const mayChange = useMay('manage_catalogue')
  const { filters, setFilters } = useFilters(filterNames)
  const digits = cleanPhone(filters.number ?? '').slice(0, 10)
  const begins = /^0\d*$/.test(digits) ? digits : undefined
  const query = useInfiniteQuery({
    queryKey: ['numbers', 'ported', begins],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      answerOf(() =>
        api.GET('/desk/api/numbers/ported', {
          params: { query: { ...(begins !== undefined && { begins }), ...(pageParam !== undefined && { after: pageParam }) } },
          signal,
        }),
      ),
    getNextPageParam: ({ next }) => next ?? undefined,
  })
  return (
    <Section title={words.ported}>
      <p className={css.soft}>{words.portedHelp}</p>
      <div className={css.bar}>
        <TextInput
          type="search"
          label={words.search}
          inputMode="numeric"
          value={filters.number ?? ''}
          onChange={({ currentTarget }) => setFilters({ number: currentTarget.value })}
        />
        {mayChange && <NoteNumber />}
      </div>
      <MorePages query={query} more={words.more}>
        {(pages) => {
          const rows = pages.flatMap((page) => page.numbers)
          if (rows.length === 0) return <Empty title={words.empty}>{words.emptyNext}</Empty>
          return (
            <TableOrCards
              label={words.ported}
              columns={mayChange ? columnsToChange : columns}
              rows={rows}
              keyOf={({ number }) => number}
            />
          )
        }}
      </MorePages>
    </Section>
  )
}
