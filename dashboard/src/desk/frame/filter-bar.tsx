import { Button } from '@mantine/core'
import type { FormEvent, ReactNode } from 'react'
import { frameWords } from '../words/frame.ts'
import css from './filter-bar.module.css'

type Props<Name extends string> = {
  readonly label: string
  readonly names: readonly Name[]
  /** Called with the texts of all fields. An empty field gives an empty text. */
  readonly onShow: (values: Readonly<Record<Name, string>>) => void
  /** The fields. Each has the name of a filter and begins with the filter's value in the address. */
  readonly children: ReactNode
  /** At the right: a file, a link. */
  readonly end?: ReactNode
}

/** A form for filters that people type. The filters count once the form is sent. */
export function FilterBar<Name extends string>({ label, names, onShow, children, end }: Props<Name>) {
  const show = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const given = new FormData(event.currentTarget)
    const values = names.map((name) => {
      const value = given.get(name)
      return [name, typeof value === 'string' ? value.trim() : '']
    })
    onShow(Object.fromEntries(values) as Record<Name, string>)
  }
  return (
    <form className={css.bar} aria-label={label} onSubmit={show}>
      {children}
      <Button type="submit" variant="light">
        {frameWords.show}
      </Button>
      {end !== undefined && <span className={css.end}>{end}</span>}
    </form>
  )
}
