import { NativeSelect } from '@mantine/core'
import { fieldWords } from '../../both/field-words.ts'
import { Empty, QueryAnswer } from '../../both/layout/query-states.tsx'
import { type Column, TableOrCards } from '../../both/list/table-or-cards.tsx'
import { useFilters } from '../../both/list/use-filters.ts'
import { showDay } from '../../both/moments/format-moment.ts'
import { formatGhs } from '../../both/money/format-ghs.ts'
import { Drawing } from '../frame/drawing.tsx'
import look from '../frame/look.module.css'
import { floatDayWords } from '../words/reconcile.ts'
import { type FloatDay, useFloatDays, useFulfillers } from './ask-reconcile.ts'
import { showAmount } from './difference-state.tsx'
import css from './reconcile.module.css'

const days = 14
const barWidth = 20
const half = 40

const columns: readonly Column<FloatDay>[] = [
  { title: floatDayWords.day, show: ({ day }) => showDay(day), isMain: true },
  {
    title: floatDayWords.moved,
    show: ({ moved }) => (moved === null ? floatDayWords.notRead : formatGhs(moved)),
    isFigure: true,
  },
  { title: floatDayWords.expected, show: ({ expected }) => showAmount(expected), isFigure: true },
  { title: floatDayWords.costs, show: ({ costs }) => formatGhs(costs), isFigure: true },
  { title: fieldWords.refunds, show: ({ refunds }) => formatGhs(refunds), isFigure: true },
  { title: floatDayWords.topUps, show: ({ top_ups: topUps }) => formatGhs(topUps), isFigure: true },
  { title: floatDayWords.doubt, show: ({ in_doubt: doubt }) => formatGhs(doubt), isFigure: true },
  {
    title: floatDayWords.drift,
    show: ({ drift }) => <span className={drift === null || drift === 0 ? undefined : look.warn}>{showAmount(drift)}</span>,
    isFigure: true,
  },
]

/** The drift of the float on each day: a surplus above the line, a shortfall below. */
function DriftBars({ rows, tolerance }: { readonly rows: readonly FloatDay[]; readonly tolerance: number }) {
  const most = Math.max(tolerance, ...rows.map(({ drift }) => Math.abs(drift ?? 0)))
  return (
    <figure className={css.figure}>
      <figcaption>
        {floatDayWords.drawn(days)}: ± {formatGhs(most)}. {floatDayWords.tolerance(formatGhs(tolerance))}
      </figcaption>
      <Drawing className={css.drift} width={rows.length * barWidth} height={2 * half} label={floatDayWords.drawn(days)}>
        {rows.map(({ day, drift }, index) => {
          const tall = (Math.abs(drift ?? 0) / (most || 1)) * (half - 2)
          const isGrave = Math.abs(drift ?? 0) > tolerance
          return (
            <rect
              key={day}
              className={isGrave ? css.barBad : css.barPlain}
              x={index * barWidth + 3}
              width={barWidth - 6}
              y={(drift ?? 0) > 0 ? half - tall : half}
              height={tall}
            />
          )
        })}
        <path className={css.axis} d={`M0,${half}H${rows.length * barWidth}`} vectorEffect="non-scaling-stroke" />
      </Drawing>
    </figure>
  )
}

function FloatDaysOf({ supplier }: { readonly supplier: string }) {
  const query = useFloatDays(supplier, days)
  return (
    <QueryAnswer query={query}>
      {(answer) => (
        <>
          <DriftBars rows={answer.days} tolerance={answer.tolerance} />
          <p className="soft fine">{floatDayWords.help}</p>
          <TableOrCards label={floatDayWords.list} columns={columns} rows={answer.days.toReversed()} keyOf={({ day }) => day} />
        </>
      )}
    </QueryAnswer>
  )
}

/** The movement of a float on each day beside the movement that our records explain. The difference is drawn. */
export function FloatView() {
  const { filters, setFilters } = useFilters(['supplier'])
  const query = useFulfillers()
  return (
    <QueryAnswer query={query}>
      {(suppliers) => {
        const supplier = suppliers.find((each) => each === filters.supplier) ?? suppliers[0]
        if (supplier === undefined) return <Empty title={floatDayWords.noSupplier}>{floatDayWords.noSupplierHelp}</Empty>
        return (
          <>
            <NativeSelect
              className={css.filter ?? ''}
              label={fieldWords.supplier}
              value={supplier}
              data={suppliers}
              onChange={({ currentTarget }) => setFilters({ supplier: currentTarget.value })}
            />
            <FloatDaysOf supplier={supplier} />
          </>
        )
      }}
    </QueryAnswer>
  )
}
