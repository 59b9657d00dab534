import { Button, NativeSelect, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { fieldWords } from '../../both/field-words.ts'
import { typed } from '../../both/form/typed.ts'
import type { useFilters } from '../../both/list/use-filters.ts'
import { orderWords, productWords, stateWords } from '../words/orders.ts'
import css from './orders.module.css'

/** The filters in the address of the list. */
export const orderFilterNames = ['search', 'product', 'status', 'network', 'from', 'to'] as const
export type OrderFilterName = (typeof orderFilterNames)[number]

const networks = ['MTN', 'Telecel', 'AT-iShare', 'AT-BigTime', 'AT']
const choicesOf = (words: Readonly<Record<string, string>>) => [
  { value: '', label: fieldWords.all },
  ...Object.entries(words).map(([value, label]) => ({ value, label })),
]
const states = Object.fromEntries(Object.entries(stateWords).map(([status, { word }]) => [status, word]))

type Props = Omit<ReturnType<typeof useFilters<OrderFilterName>>, 'search'>

/** The search field, and the filters behind one tap. */
export function OrderFilters({ filters, setFilters, field }: Props) {
  const [search, setSearch] = useState(filters.search ?? '')
  const { search: _searched, ...others } = filters
  const [isOpen, setOpen] = useState(Object.keys(others).length > 0)
  const find = (event: FormEvent) => {
    event.preventDefault()
    setFilters({ search: search.trim() })
  }
  const clear = () => {
    setSearch('')
    setFilters(Object.fromEntries(orderFilterNames.map((name) => [name, ''])))
  }
  return (
    <search className={css.filters}>
      <form className={css.search} onSubmit={find}>
        <TextInput type="search" aria-label={orderWords.search} placeholder={orderWords.search} {...typed(search, setSearch)} />
        <Button type="submit" variant="light">
          {fieldWords.find}
        </Button>
      </form>
      <div className={css.more}>
        <Button variant="default" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {fieldWords.filters}
        </Button>
        {Object.keys(filters).length > 0 && (
          <Button variant="subtle" px={12} onClick={clear}>
            {fieldWords.clearFilters}
          </Button>
        )}
      </div>
      {isOpen && (
        <div className={css.fields}>
          <NativeSelect label={fieldWords.product} data={choicesOf(productWords)} {...field('product')} />
          <NativeSelect label={fieldWords.state} data={choicesOf(states)} {...field('status')} />
          <NativeSelect
            label={fieldWords.network}
            data={[{ value: '', label: fieldWords.all }, ...networks]}
            {...field('network')}
          />
          <TextInput type="date" label={fieldWords.fromDay} {...field('from')} />
          <TextInput type="date" label={fieldWords.toDay} {...field('to')} />
        </div>
      )}
    </search>
  )
}
