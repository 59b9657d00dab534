import { useLocation, useParams } from 'wouter'
import { fieldWords } from '../../both/field-words.ts'
import { ListWithPanel } from '../../both/layout/beside.tsx'
import { Page } from '../../both/layout/page.tsx'
import { Empty, QueryAnswer } from '../../both/layout/query-states.tsx'
import { useFilters } from '../../both/list/use-filters.ts'
import { formatCount, formatGhs } from '../../both/money/format-ghs.ts'
import { type Figure, Figures } from '../frame/figures.tsx'
import { PartTabs } from '../frame/part-tabs.tsx'
import { useMay } from '../me.ts'
import { formatLasting, formatPart, formatTime } from '../words/format-figures.ts'
import { suppliersWords } from '../words/suppliers.ts'
import { AddSupplier } from './add-supplier.tsx'
import { type DeskSupplier, type Health, useHealth, useSuppliers } from './ask-suppliers.ts'
import { CountedAt } from './health-part.tsx'
import { LinksSection } from './links-section.tsx'
import { RoutesSection } from './routes-section.tsx'
import { SupplierPanel } from './supplier-panel.tsx'
import { SuppliersTable } from './suppliers-table.tsx'

type View = keyof typeof suppliersWords.views
const views = Object.keys(suppliersWords.views) as View[]

/** The slowest supplier's time, because people look there first. */
function slowest(health: Health, of: 'answer' | 'delivery'): Figure {
  const [worst] = health.suppliers
    .filter((each) => each[`${of}_p95`] !== null)
    .toSorted((one, other) => (other[`${of}_p95`] ?? 0) - (one[`${of}_p95`] ?? 0))
  return {
    label: of === 'answer' ? suppliersWords.answers : suppliersWords.deliveries,
    value: formatTime(worst?.[`${of}_p95`] ?? null),
    detail: worst ? `${worst.supplier} · ${suppliersWords.median(formatTime(worst[`${of}_p50`]))}` : suppliersWords.nothingSent,
  }
}

function figuresOf(health: Health, suppliers: readonly DeskSupplier[]): readonly Figure[] {
  const sum = (of: (each: Health['suppliers'][number]) => number) => health.suppliers.reduce((all, each) => all + of(each), 0)
  const [delivered, failed] = [sum((each) => each.delivered), sum((each) => each.failed)]
  const [first] = health.floats
    .filter(({ hours_left: hours }) => hours !== null)
    .toSorted((one, other) => (one.hours_left ?? 0) - (other.hours_left ?? 0))
  const paused = suppliers.reduce((all, { paused_routes: count }) => all + count, 0)
  const routes = suppliers.reduce((all, { open_routes: open, paused_routes: shut }) => all + open + shut, 0)
  return [
    {
      label: fieldWords.delivered,
      value: formatPart(delivered + failed === 0 ? null : delivered / (delivered + failed)),
      detail:
        delivered + failed === 0
          ? suppliersWords.nothingSent
          : suppliersWords.successDetail(formatCount(delivered), formatCount(failed)),
    },
    slowest(health, 'answer'),
    slowest(health, 'delivery'),
    {
      label: suppliersWords.lowestFloat,
      value: formatLasting(first?.hours_left ?? null),
      detail: first ? `${first.supplier} · ${formatGhs(first.float ?? 0)}` : suppliersWords.noFloat,
      tone: first?.is_low ? 'warn' : 'plain',
    },
    {
      label: suppliersWords.pausedRoutes,
      value: formatCount(paused),
      detail: paused === 0 ? suppliersWords.allOpen : suppliersWords.ofRoutes(routes),
      tone: paused === 0 ? 'plain' : 'warn',
    },
  ]
}

type Shown = {
  readonly view: View
  readonly suppliers: readonly DeskSupplier[]
  readonly health: Health | undefined
  readonly selected: string | undefined
  readonly onSelect: (name: string, part?: 'routes') => void
}

function ViewOf({ view, suppliers, health, selected, onSelect }: Shown) {
  if (view === 'routes') return <RoutesSection hasPanel={selected !== undefined} onSelect={(name) => onSelect(name, 'routes')} />
  if (view === 'links') return <LinksSection />
  if (suppliers.length === 0) return <Empty title={suppliersWords.emptyTitle}>{suppliersWords.empty}</Empty>
  return (
    <>
      <SuppliersTable suppliers={suppliers} health={health} selected={selected} onSelect={onSelect} />
      {health && <CountedAt health={health} />}
    </>
  )
}

/** The suppliers: the figures of the last day, floats and routes; the chosen one in a panel. */
export default function SuppliersScreen() {
  const { supplier: name } = useParams<{ supplier?: string }>()
  const [, navigate] = useLocation()
  const { filters, setFilters } = useFilters(['view'])
  const mayChange = useMay('manage_suppliers')
  const query = useSuppliers()
  const health = useHealth(24)
  const view = views.find((each) => each === filters.view) ?? 'suppliers'
  const chosen = query.data?.suppliers.find(({ supplier }) => supplier === name)
  return (
    <Page title={fieldWords.suppliers} isWide end={mayChange && query.data && <AddSupplier adapters={query.data.adapters} />}>
      <QueryAnswer query={query} lines={5}>
        {({ suppliers }) => (
          <ListWithPanel
            label={chosen?.supplier ?? ''}
            panel={chosen && <SupplierPanel key={chosen.supplier} supplier={chosen} />}
            onClose={() => navigate(view === 'suppliers' ? '/suppliers' : `/suppliers?view=${view}`)}
          >
            {health.data && <Figures label={suppliersWords.figures} figures={figuresOf(health.data, suppliers)} />}
            <PartTabs
              parts={views}
              labels={suppliersWords.views}
              shown={view}
              onChoose={(next) => setFilters({ view: next === 'suppliers' ? '' : next })}
            >
              {(each) => (
                <ViewOf
                  view={each}
                  suppliers={suppliers}
                  health={health.data}
                  selected={chosen?.supplier}
                  onSelect={(next, part) =>
                    navigate(`/suppliers/${next}${part === undefined ? '' : `?view=${part}&part=${part}`}`)
                  }
                />
              )}
            </PartTabs>
          </ListWithPanel>
        )}
      </QueryAnswer>
    </Page>
  )
}
