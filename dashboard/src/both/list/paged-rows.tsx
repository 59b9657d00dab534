import { useMediaQuery } from '@mantine/hooks'
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import { Fragment, type ReactNode } from 'react'
import { Empty, type EmptyWords } from '../layout/query-states.tsx'
import { MorePages } from './more-pages.tsx'
import { Rows } from './rows.tsx'
import { type Column, TableOrCards } from './table-or-cards.tsx'

/** True when the window is wide enough for the navigation rail, and so for tables. */
export const useIsWide = (): boolean => useMediaQuery('(min-width: 62em)', false, { getInitialValueInEffect: false })

type Props<Page, Item> = {
  readonly query: UseInfiniteQueryResult<InfiniteData<Page>>
  readonly itemsOf: (page: Page) => readonly Item[]
  readonly keyOf: (item: Item) => string
  readonly label: string
  /** The words of the button for the next page. */
  readonly more: string
  readonly empty: EmptyWords
  readonly row: (item: Item) => ReactNode
  /** On a wide screen the list is a table of these columns. */
  readonly columns?: readonly Column<Item>[]
  readonly selected?: string | undefined
  readonly onSelect?: (item: Item) => void
}

/** A list that comes in pages, as rows of a card, or as a table where it has columns and there is room. */
export function PagedRows<Page, Item>(props: Props<Page, Item>) {
  const { query, itemsOf, keyOf, label, more, empty, row, columns, selected, onSelect } = props
  const isWide = useIsWide()
  return (
    <MorePages query={query} more={more}>
      {(pages) => {
        const items = pages.flatMap(itemsOf)
        if (items.length === 0) return <Empty title={empty.title}>{empty.next}</Empty>
        return columns && isWide ? (
          <TableOrCards label={label} columns={columns} rows={items} keyOf={keyOf} onSelect={onSelect} selectedKey={selected} />
        ) : (
          <Rows label={label}>
            {items.map((item) => (
              <Fragment key={keyOf(item)}>{row(item)}</Fragment>
            ))}
          </Rows>
        )
      }}
    </MorePages>
  )
}
