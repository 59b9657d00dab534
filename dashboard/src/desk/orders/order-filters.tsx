import { Button, NativeSelect, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { answerOf, api } from '../../both/api/call-api.ts'
import { networkName } from '../../both/goods-words.ts'
import type { Filters } from '../../both/list/use-filters.ts'
import { deskOrderWords, roleFilters, stateWords, supplierName } from '../words/orders.ts'
import { type OrderFilterName, orderFilterNames } from './ask-orders.ts'
import css from './orders.module.css'

type Props = { readonly filters: Filters<OrderFilterName>; readonly setFilters: (change: Filters<OrderFilterName>) => void }
type Choice = { readonly value: string; readonly label: string }

const choicesOf = (choices: readonly Choice[]): Choice[] => [{ value: '', label: deskOrderWords.any }, ...choices]
const states = Object.entries(stateWords).map(([value, { word: label }]) => ({ value, label }))
const only = Object.entries(deskOrderWords.onlyWords).map(([value, label]) => ({ value, label }))

const roles = Object.entries(roleFilters).map(([value, label]) => ({ value, label }))

/** The choices of the filters, from the server. They hardly ever change. */
function useChoices() {
  const { data } = useQuery({
    queryKey: ['desk-order-choices'],
    queryFn: ({ signal }) => answerOf(() => api.GET('/desk/api/order-choices', { signal })),
    staleTime: 300_000,
  })
  return {
    products: (data?.products ?? []).map(({ name, title }) => ({ value: name, label: title })),
    networks: (data?.networks ?? []).map((name) => ({ value: name, label: networkName(name) })),
    suppliers: (data?.suppliers ?? []).map((name) => ({ value: name, label: supplierName(name) })),
  }
}

/** The filters with typed texts. They take effect when the form is sent. */
const typedNames = ['reference', 'recipient', 'account', 'package'] as const

function TypedFields({ filters, setFilters }: Props) {
  const [typed, setTyped] = useState<Filters<OrderFilterName>>({})
  const find = (event: FormEvent) => {
    event.preventDefault()
    setFilters(Object.fromEntries(Object.entries<string | undefined>(typed).map(([name, text]) => [name, text?.trim() ?? ''])))
    setTyped({})
  }
  const titles = {
    reference: deskOrderWords.search,
    recipient: deskOrderWords.recipient,
    account: deskOrderWords.accountHint,
    package: deskOrderWords.package,
  }
  return (
    <form className={css.typed} onSubmit={find}>
      {typedNames.map((name) => (
        <TextInput
          key={name}
          type="search"
          label={titles[name]}
          value={typed[name] ?? filters[name] ?? ''}
          onChange={({ currentTarget }) => setTyped({ ...typed, [name]: currentTarget.value })}
        />
      ))}
      <Button type="submit" variant="light">
        {deskOrderWords.find}
      </Button>
    </form>
  )
}

function ChosenFields({ filters, setFilters }: Props) {
  const { products, networks, suppliers } = useChoices()
  const field = (name: OrderFilterName) => ({
    value: filters[name] ?? '',
    onChange: ({ currentTarget }: { readonly currentTarget: { readonly value: string } }) =>
      setFilters({ [name]: currentTarget.value }),
  })
  return (
    <div className={css.fields}>
      <NativeSelect label={deskOrderWords.state} data={choicesOf(states)} {...field('status')} />
      <NativeSelect label={deskOrderWords.only} data={choicesOf(only)} {...field('only')} />
      <NativeSelect label={deskOrderWords.product} data={choicesOf(products)} {...field('product')} />
      <NativeSelect label={deskOrderWords.network} data={choicesOf(networks)} {...field('network')} />
      <NativeSelect label={deskOrderWords.supplier} data={choicesOf(suppliers)} {...field('supplier')} />
      <NativeSelect label={deskOrderWords.role} data={choicesOf(roles)} {...field('role')} />
      <TextInput type="date" label={deskOrderWords.from} {...field('from')} />
      <TextInput type="date" label={deskOrderWords.to} {...field('to')} />
    </div>
  )
}

/** All filters of the list, behind one tap; the address holds them. */
export function OrderFilters({ filters, setFilters }: Props) {
  const isFiltered = Object.keys(filters).length > 0
  const [isOpen, setOpen] = useState(isFiltered)
  return (
    <search className={css.filters}>
      <div className={css.more}>
        <Button variant="default" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {deskOrderWords.filters}
        </Button>
        {isFiltered && (
          <Button
            variant="subtle"
            px={12}
            onClick={() => setFilters(Object.fromEntries(orderFilterNames.map((name) => [name, ''])))}
          >
            {deskOrderWords.clear}
          </Button>
        )}
      </div>
      {isOpen && (
        <>
          <TypedFields filters={filters} setFilters={setFilters} />
          <ChosenFields filters={filters} setFilters={setFilters} />
        </>
      )}
    </search>
  )
}
