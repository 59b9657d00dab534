import { Group } from '@mantine/core'
import { post } from '../../both/api/call-api.ts'
import { fieldWords } from '../../both/field-words.ts'
import { Act } from '../../both/form/act.tsx'
import { Asked, Empty } from '../../both/layout/wait.tsx'
import { formatCount } from '../../both/money/format-ghs.ts'
import look from '../frame/look.module.css'
import { useMay } from '../me.ts'
import { productOfRoute, routeWords } from '../words/suppliers.ts'
import { type DeskRoute, useRoutes } from './ask-suppliers.ts'
import { PauseRoutes, priorityField, ResumeRoutes, RouteActs } from './route-acts.tsx'
import { RouteState, WhyPaused } from './route-state.tsx'
import css from './suppliers.module.css'

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

function OneRoute({ route, mayChange }: { readonly route: DeskRoute; readonly mayChange: boolean }) {
  return (
    <li className={css.route}>
      <div className={css.routeHead}>
        <b>
          {productOfRoute(route.product)} · {route.network}
        </b>
        <RouteState route={route} />
      </div>
      <p className={look.soft}>
        {routeWords.place} {route.rank} · {routeWords.priority} {route.priority} · {fieldWords.waiting}{' '}
        {formatCount(route.orders_waiting)} · {routeWords.sent} {formatCount(route.orders_sent)}
      </p>
      <WhyPaused route={route} />
      {mayChange && (
        <Group gap={8} mt={8}>
          <RouteActs route={route} />
        </Group>
      )}
    </li>
  )
}

export function RoutesPart({ supplier }: { readonly supplier: string }) {
  const mayChange = useMay('manage_suppliers')
  const query = useRoutes()
  return (
    <Asked query={query}>
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
            {own.length === 0 && <Empty title={routeWords.empty}>{routeWords.emptyDetail}</Empty>}
            <ul aria-label={routeWords.list}>
              {own.map((route) => (
                <OneRoute key={route.route} route={route} mayChange={mayChange} />
              ))}
            </ul>
          </>
        )
      }}
    </Asked>
  )
}
