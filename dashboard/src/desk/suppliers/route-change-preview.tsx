import { useRead } from '../../both/api/use-read.ts'
import { QueryAnswer } from '../../both/layout/query-states.tsx'
import { routeWords } from '../words/suppliers.ts'
import css from './suppliers.module.css'

/** All routes of a supplier, or one of them. */
export type SelectedRoutes = { readonly supplier: string; readonly product?: string; readonly network?: string }

export const nameOfSelected = ({ supplier, product, network }: SelectedRoutes): string =>
  product === undefined ? supplier : `${supplier} · ${product} · ${network}`

/** Shows, before routes are paused or opened, the effect on waiting and new orders. */
export function RouteChangePreview({
  selected,
  change,
}: {
  readonly selected: SelectedRoutes
  readonly change: 'pause' | 'resume'
}) {
  const query = useRead('suppliers', '/desk/api/routes/foresight', { ...selected, change })
  return (
    <QueryAnswer query={query} lines={1}>
      {({ waiting, sent, new_orders: newOrders, is_partial: isPartial }) => (
        <ul className={css.foresight} aria-label={routeWords.foresee}>
          {waiting.length === 0 && <li>{routeWords.waitingNone}</li>}
          {waiting.map(({ supplier, orders }) => (
            <li key={supplier ?? ''}>
              {supplier === null
                ? routeWords.wait(orders)
                : supplier === selected.supplier
                  ? routeWords.goOut(orders, supplier)
                  : routeWords.goOn(orders, supplier)}
            </li>
          ))}
          {isPartial && <li>{routeWords.partial}</li>}
          {sent > 0 && <li>{routeWords.sentStay(sent)}</li>}
          {newOrders.map(({ network, supplier }) => (
            <li key={network}>{supplier === null ? routeWords.newWait(network) : routeWords.newOrders(network, supplier)}</li>
          ))}
        </ul>
      )}
    </QueryAnswer>
  )
}
