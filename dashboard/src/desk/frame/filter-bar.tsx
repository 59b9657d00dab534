import { Button } from '@mantine/core'
import type { FormEvent, ReactNode } from 'react'
import { frameWords } from '../words/frame.ts'
import css from './filter-bar.module.css'

type Props<Name extends string> = {
  readonly label: string
  readonly names: readonly Name[]
  /** Gets what the fields hold, an empty text for an empty one. */
  readonly onShow: (values: Readonly<Record<Name, string>>) => void
  /** Fields with these names, filled from the address. */
  readonly children: ReactNode
  /** At the right: a file, a link. */
  readonly end?: ReactNode
}

/** The filters of a list that are typed; they count once they are sent. */
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
