import { useLocation, useSearch } from 'wouter'

/**
 * The chosen row of a list, whose id is in the address after the screen's own: `/keys/0190…`. Choosing a row keeps the filters.
 *
 * @param screen the screen's address, such as `/keys`
 */
export function useChosen(screen: string): { readonly chosen: string | undefined; readonly choose: (id?: string) => void } {
  const [location, navigate] = useLocation()
  const search = useSearch()
  const [chosen = ''] = location.startsWith(`${screen}/`) ? location.slice(screen.length + 1).split('/') : []
  return {
    chosen: chosen === '' ? undefined : chosen,
    choose: (id = '') => navigate(`${screen}${id === '' ? '' : `/${id}`}${search === '' ? '' : `?${search}`}`, { replace: true }),
  }
}
