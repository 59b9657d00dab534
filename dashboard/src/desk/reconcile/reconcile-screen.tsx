import type { ReactNode } from 'react'
import { useLocation, useParams } from 'wouter'
import { ListWithPanel } from '../../both/layout/beside.tsx'
import { Page } from '../../both/layout/page.tsx'
import { useFilters } from '../../both/list/use-filters.ts'
import { formatCount } from '../../both/money/format-ghs.ts'
import { type Figure, Figures } from '../frame/figures.tsx'
import { PartTabs } from '../frame/part-tabs.tsx'
import { frameWords } from '../words/frame.ts'
import { reconcileWords } from '../words/reconcile.ts'
import { useOpenSums } from './ask-reconcile.ts'
import { DifferencePanel } from './difference-panel.tsx'
import { showAmount } from './difference-state.tsx'
import { DifferencesView } from './differences-view.tsx'
import { FloatView } from './float-view.tsx'
import { StatementPanel } from './statement-panel.tsx'
import { StatementsView } from './statements-view.tsx'

type View = keyof typeof reconcileWords.views
const views = Object.keys(reconcileWords.views) as View[]

type Sum = NonNullable<ReturnType<typeof useOpenSums>['data']>['sums'][number]

const total = (sums: readonly Sum[], of: (sum: Sum) => number) => sums.reduce((all, sum) => all + of(sum), 0)

function figuresOf(sums: readonly Sum[]): readonly Figure[] {
  const count = total(sums, (sum) => sum.count)
  const unassigned = total(sums, (sum) => sum.unassigned)
  const kinds = Object.keys(reconcileWords.kinds) as Sum['kind'][]
  return [
    {
      label: reconcileWords.openCount,
      value: formatCount(count),
      detail: unassigned === 0 ? reconcileWords.eachHasSomebody : reconcileWords.nobody(formatCount(unassigned)),
      tone: count > 0 ? 'warn' : 'plain',
    },
    ...kinds.map((kind): Figure => {
      const own = sums.filter((sum) => sum.kind === kind)
      const theirs = total(own, ({ amount_theirs: amount }) => Math.round(amount * 100)) / 100
      const ours = total(own, ({ amount_ours: amount }) => Math.round(amount * 100)) / 100
      const detail =
        kind === 'amount_differs'
          ? reconcileWords.amounts(showAmount(theirs), showAmount(ours))
          : showAmount(kind === 'ours_only' ? ours : theirs)
      return { label: reconcileWords.kinds[kind], value: formatCount(total(own, (sum) => sum.count)), detail }
    }),
  ]
}

/** Suppliers' statements and floats beside our own records: the differences, their assignees, and their explanations. */
export default function ReconcileScreen() {
  const { difference } = useParams<{ difference?: string }>()
  const [, navigate] = useLocation()
  const { filters, search } = useFilters(['view', 'statement', 'supplier', 'kind', 'state', 'who', 'reference'])
  const { setFilters: setStatement } = useFilters(['statement', 'new', 'explained'])
  // `new` and `explained` tell the result of an import, so they go when another statement is chosen.
  const chooseStatement = (id: string) => setStatement({ statement: id, new: '', explained: '' })
  const sums = useOpenSums()
  const view = views.find((each) => each === filters.view) ?? 'differences'
  const statement = view === 'statements' ? filters.statement : undefined
  const panels: Readonly<Record<View, ReactNode | undefined>> = {
    differences: difference === undefined ? undefined : <DifferencePanel key={difference} id={difference} />,
    statements: statement === undefined ? undefined : <StatementPanel key={statement} id={statement} />,
    float: undefined,
  }
  const shown: Readonly<Record<View, ReactNode>> = {
    differences: <DifferencesView selected={difference} onSelect={(id) => navigate(`/reconcile/${id}${search}`)} />,
    statements: <StatementsView selected={statement} onSelect={chooseStatement} />,
    float: <FloatView />,
  }
  const close = () => (view === 'statements' ? chooseStatement('') : navigate(`/reconcile${search}`))
  return (
    <Page title={frameWords.reconcile} isWide>
      <ListWithPanel label={reconcileWords.views[view]} panel={panels[view]} onClose={close}>
        {sums.data && <Figures label={reconcileWords.figures} figures={figuresOf(sums.data.sums)} />}
        <PartTabs
          parts={views}
          labels={reconcileWords.views}
          shown={view}
          onChoose={(next) => navigate(next === 'differences' ? '/reconcile' : `/reconcile?view=${next}`)}
        >
          {(each) => shown[each]}
        </PartTabs>
      </ListWithPanel>
    </Page>
  )
}
