import { Button, NativeSelect, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { typed } from '../../both/form/typed.ts'
import type { useFilters } from '../../both/list/use-filters.ts'
import { orderWords, productWords, stateWords } from '../words/orders.ts'
import css from './orders.module.css'

/** The filters in the address of the list. */
export const orderFilterNames = ['search', 'product', 'status', 'network', 'from', 'to'] as const
export type OrderFilterName = (typeof orderFilterNames)[number]

const networks = ['MTN', 'Telecel', 'AT-iShare', 'AT-BigTime', 'AT']
const choicesOf = (words: Readonly<Record<string, string>>) => [
  { value: '', label: orderWords.all },
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
          {orderWords.find}
        </Button>
      </form>
      <div className={css.more}>
        <Button variant="default" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {orderWords.filters}
        </Button>
        {Object.keys(filters).length > 0 && (
          <Button variant="subtle" px={12} onClick={clear}>
            {orderWords.clear}
          </Button>
        )}
      </div>
      {isOpen && (
        <div className={css.fields}>
          <NativeSelect label={orderWords.product} data={choicesOf(productWords)} {...field('product')} />
          <NativeSelect label={orderWords.state} data={choicesOf(states)} {...field('status')} />
          <NativeSelect
            label={orderWords.network}
            data={[{ value: '', label: orderWords.all }, ...networks]}
            {...field('network')}
          />
          <TextInput type="date" label={orderWords.from} {...field('from')} />
          <TextInput type="date" label={orderWords.to} {...field('to')} />
        </div>
      )}
    </search>
  )
}
