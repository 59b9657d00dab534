import { NativeSelect } from '@mantine/core'
import { useMemo, useState } from 'react'
import { fieldWords } from '../field-words.ts'
import css from './sorted-table.module.css'
import { type Column, TableOrCards } from './table-or-cards.tsx'

type Props<T> = {
  readonly label: string
  readonly columns: readonly Column<T>[]
  readonly rows: readonly T[]
  readonly keyOf: (row: T) => string
  /** The total of the rows. It stays at the end, however they are sorted. */
  readonly total?: T | undefined
}

type Value = number | string | null

/** Compares numbers by size and texts alphabetically. Null comes last in both directions. */
function compare(one: Value, other: Value, isDown: boolean): number {
  if (one === null || other === null) return Number(one === null) - Number(other === null)
  const order = typeof one === 'number' && typeof other === 'number' ? one - other : String(one).localeCompare(String(other))
  return isDown ? -order : order
}

/** A table that the reader sorts by any column that has `sortBy`: by its head, or on a phone by a field. */
export function SortedTable<T>({ label, columns, rows, keyOf, total }: Props<T>) {
  const [sort, setSort] = useState<{ readonly title: string; readonly isDown: boolean }>()
  const column = columns.find(({ title }) => title === sort?.title)
  const sorted = useMemo(() => {
    const { sortBy } = column ?? {}
    return sortBy && sort ? rows.toSorted((one, other) => compare(sortBy(one), sortBy(other), sort.isDown)) : rows
  }, [rows, column, sort])
  const onPress = (title: string) => {
    const isFigure = columns.find((each) => each.title === title)?.isFigure === true
    setSort((before) => ({ title, isDown: before?.title === title ? !before.isDown : isFigure }))
  }
  return (
    <>
      <NativeSelect
        className={css.field ?? ''}
        label={fieldWords.sortBy}
        value={sort?.title ?? ''}
        data={[{ value: '', label: fieldWords.asGiven }, ...columns.filter(({ sortBy }) => sortBy).map(({ title }) => title)]}
        onChange={({ currentTarget }) => (currentTarget.value === '' ? setSort(undefined) : onPress(currentTarget.value))}
      />
      <TableOrCards
        label={label}
        columns={columns}
        rows={sorted}
        keyOf={keyOf}
        sort={{ title: sort?.title ?? '', isDown: sort?.isDown ?? false, onPress }}
        foot={total}
      />
    </>
  )
}
