import { Button } from '@mantine/core'
import { type ChangeEvent, type FormEvent, type ReactNode, useEffect, useRef } from 'react'
import type { Filters } from '../../both/list/use-filters.ts'
import { frameWords } from '../words/frame.ts'
import css from './filter-bar.module.css'

type Props<Name extends string> = {
  readonly label: string
  readonly names: readonly Name[]
  /** The filters of the address. */
  readonly filters: Filters<Name>
  /** Called with the texts of all fields. An empty field gives an empty text. */
  readonly onShow: (values: Readonly<Record<Name, string>>) => void
  /** The fields. Each has the name of a filter and begins with the filter's value in the address. */
  readonly children: ReactNode
  /** At the right: a file, a link. */
  readonly end?: ReactNode
}

/**
 * A form for filters that people type. A typed filter takes effect when the form is sent, a chosen one at once. When the address
 * changes, the fields show its filters.
 */
export function FilterBar<Name extends string>({ label, names, filters, onShow, children, end }: Props<Name>) {
  const form = useRef<HTMLFormElement>(null)
  const given = JSON.stringify(names.map((name) => [name, filters[name] ?? '']))
  useEffect(() => {
    for (const [name, value] of JSON.parse(given) as [string, string][]) {
      const field = form.current?.elements.namedItem(name)
      if (field instanceof HTMLInputElement || field instanceof HTMLSelectElement) field.value = value
    }
  }, [given])
  const show = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const typed = new FormData(event.currentTarget)
    const values = names.map((name) => {
      const value = typed.get(name)
      return [name, typeof value === 'string' ? value.trim() : '']
    })
    onShow(Object.fromEntries(values) as Record<Name, string>)
  }
  const showChosen = ({ target, currentTarget }: ChangeEvent<HTMLFormElement>) => {
    if ((target as Element) instanceof HTMLSelectElement) currentTarget.requestSubmit()
  }
  return (
    <form ref={form} className={css.bar} aria-label={label} onSubmit={show} onChange={showChosen}>
      {children}
      <Button type="submit" variant="light">
        {frameWords.show}
      </Button>
      {end !== undefined && <span className={css.end}>{end}</span>}
    </form>
  )
}
