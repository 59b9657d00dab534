import { Button } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { fieldWords } from '../field-words.ts'
import { FilterBar, type FilterFields } from './filter-bar.tsx'
import css from './folded-filters.module.css'

type Props = {
  readonly fields: FilterFields
  /** The filters that are set now. One button clears them all. */
  readonly filters: Readonly<Partial<Record<string, string>>>
  readonly onShow: (values: Readonly<Record<string, string>>) => void
  /** The words of the button; by default "Show". */
  readonly action?: string
  /** Shown above: a search field. */
  readonly children?: ReactNode
}

/** The filters of a list behind one tap. They are open at first if one of them is set. */
export function FoldedFilters({ fields, filters, onShow, action, children }: Props) {
  const set = Object.keys(filters)
  const [isOpen, setOpen] = useState(set.some((name) => name in fields))
  return (
    <search className={css.folded}>
      {children}
      <div className={css.acts}>
        <Button variant="default" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {fieldWords.filters}
        </Button>
        {set.length > 0 && (
          <Button variant="subtle" px={12} onClick={() => onShow(Object.fromEntries(set.map((name) => [name, ''])))}>
            {fieldWords.clearFilters}
          </Button>
        )}
      </div>
      {isOpen && <FilterBar fields={fields} filters={filters} action={action} onShow={onShow} />}
    </search>
  )
}
