import { useLocation, useSearchParams } from 'wouter'

/**
 * The chosen row of a list, in the address: after the screen's own address, as in `/keys/0190…`, or in a filter, as in
 * `/log?line=7`. Choosing a row keeps the filters. The browser's Back button closes the panel of the row.
 *
 * @param screen the screen's address, such as `/keys`
 * @param filter the filter that holds the row
 */
export function useChosen(
  screen: string,
  filter?: string,
): { readonly chosen: string | undefined; readonly choose: (id?: string) => void } {
  const [location, navigate] = useLocation()
  const [params] = useSearchParams()
  const inPath = location.startsWith(`${screen}/`) ? location.slice(screen.length + 1).split('/')[0] : ''
  const chosen = (filter === undefined ? inPath : params.get(filter)) || undefined
  const choose = (id = '') => {
    const after = new URLSearchParams(params)
    if (filter !== undefined && id === '') after.delete(filter)
    else if (filter !== undefined) after.set(filter, id)
    const path = filter === undefined && id !== '' ? `${screen}/${id}` : screen
    navigate(after.size === 0 ? path : `${path}?${after.toString()}`, { replace: chosen !== undefined || id === '' })
  }
  return { chosen, choose }
}
