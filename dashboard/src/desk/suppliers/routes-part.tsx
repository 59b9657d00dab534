import { Group } from '@mantine/core'
import { post } from '../../both/api/call-api.ts'
import { fieldWords } from '../../both/field-words.ts'
import { Act } from '../../both/form/act.tsx'
import { QueryAnswer } from '../../both/layout/query-states.tsx'
import { type Column, TableOrCards } from '../../both/list/table-or-cards.tsx'
import { useMay } from '../me.ts'
import { productOfRoute, routeWords } from '../words/suppliers.ts'
import { type DeskRoute, useRoutes } from './ask-suppliers.ts'
import { PauseRoutes, priorityField, ResumeRoutes, RouteActs } from './route-acts.tsx'
import { ownColumns } from './routes-section.tsx'

const priorityOfNew = 100

type Network = { readonly product: string; readonly network: string }
const keyOf = ({ product, network }: Network) => `${product}/${network}`

/** Adds a route to a supplier, for one of the networks where it has none. */
function AddRoute({ supplier, networks }: { readonly supplier: string; readonly networks: readonly Network[] }) {
  if (networks.length === 0) return null
  return (
    <Act
      label={routeWords.add}
      question={routeWords.addQuestion}
      reason="needed"
      button={{ size: 'compact-sm', variant: 'default' }}
      topics={['suppliers']}
      fields={{
        network: {
          kind: 'choice',
          label: routeWords.network,
          options: networks.map((each) => ({
            value: keyOf(each),
            label: `${productOfRoute(each.product)} · ${each.network}`,
          })),
        },
        priority: priorityField(priorityOfNew),
      }}
      run={(reason, { network: chosen, priority }) => {
        const [product = '', network = ''] = chosen.split('/')
        return post('/desk/api/routes', { supplier, product, network, priority, reason })
      }}
    />
  )
}

const columnsWithActs: readonly Column<DeskRoute>[] = [
  ...ownColumns,
  { title: fieldWords.change, show: (route) => <RouteActs route={route} />, isFigure: true },
]

export function RoutesPart({ supplier }: { readonly supplier: string }) {
  const mayChange = useMay('manage_suppliers')
  const query = useRoutes()
  return (
    <QueryAnswer query={query}>
      {({ routes, networks }) => {
        const own = routes.filter((route) => route.supplier === supplier)
        const known = new Set(own.map(keyOf))
        return (
          <>
            {mayChange && (
              <Group gap={8} mb={12}>
                {own.some(({ state }) => state === 'open') && <PauseRoutes selected={{ supplier }} label={routeWords.pauseAll} />}
                {own.some(({ state }) => state === 'paused') && (
                  <ResumeRoutes selected={{ supplier }} label={routeWords.resumeAll} />
                )}
                <AddRoute supplier={supplier} networks={networks.filter((each) => !known.has(keyOf(each)))} />
              </Group>
            )}
            <TableOrCards
              label={routeWords.list}
              columns={mayChange ? columnsWithActs : ownColumns}
              rows={own}
              keyOf={({ route }) => route}
              empty={{ title: routeWords.empty, next: routeWords.emptyDetail }}
            />
          </>
        )
      }}
    </QueryAnswer>
  )
}
