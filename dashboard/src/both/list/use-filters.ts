import { useCallback, useMemo } from 'react'
import { useSearchParams } from 'wouter'
import { bindText } from '../form/typed.ts'

/** The filters of a list by their names; one that is not set is missing. */
export type Filters<Name extends string> = Readonly<Partial<Record<Name, string>>>

/**
 * Keeps the filters of a list in the page's address, so that a reload, a bookmark and the browser's Back button show the same
 * list. An empty text removes a filter.
 */
export function useFilters<const Name extends string>(
  names: readonly Name[],
): {
  readonly filters: Filters<Name>
  readonly setFilters: (change: Filters<Name>) => void
  /** The value and the handler for a filter's input field. What is typed filters the list at once. */
  readonly field: (name: Name) => ReturnType<typeof bindText>
  /** The filters as the end of an address, from its `?` on; empty without filters. */
  readonly search: string
} {
  const [params, setParams] = useSearchParams()
  const text = params.toString()
  const filters = useMemo(() => {
    const given = new URLSearchParams(text)
    return Object.fromEntries(names.flatMap((name) => (given.get(name) ? [[name, given.get(name)]] : []))) as Filters<Name>
    // A screen passes the same names each time, so the memory does not depend on them.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [text])
  const setFilters = useCallback(
    (change: Filters<Name>) =>
      setParams(
        (before) => {
          const after = new URLSearchParams(before)
          for (const [name, value] of Object.entries<string | undefined>(change)) {
            if (value === '' || value === undefined) after.delete(name)
            else after.set(name, value)
          }
          return after
        },
        { replace: true },
      ),
    [setParams],
  )
  const field = (name: Name) => bindText(filters[name] ?? '', (text) => setFilters({ [name]: text } as unknown as Filters<Name>))
  const search = new URLSearchParams(filters as Record<string, string>).toString()
  return { filters, setFilters, field, search: search === '' ? '' : `?${search}` }
}
