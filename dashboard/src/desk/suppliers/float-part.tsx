import { post, type Schema } from '../../both/api/call-api.ts'
import { fieldWords } from '../../both/field-words.ts'
import { Act } from '../../both/form/act.tsx'
import { QueryAnswer } from '../../both/layout/query-states.tsx'
import { type Column, TableOrCards } from '../../both/list/table-or-cards.tsx'
import { exactMoment, readMoment } from '../../both/moments/format-moment.ts'
import { Moment } from '../../both/moments/moment.tsx'
import { formatGhs } from '../../both/money/format-ghs.ts'
import { signedCedis } from '../../both/money/read-amount.ts'
import { useSentOnce } from '../../both/money/use-reference.ts'
import { Drawing } from '../frame/drawing.tsx'
import look from '../frame/look.module.css'
import { useMay } from '../me.ts'
import { formatLasting } from '../words/format-figures.ts'
import { floatWords } from '../words/suppliers.ts'
import { type DeskSupplier, type FloatPace, useFloat, useHealth } from './ask-suppliers.ts'
import css from './suppliers.module.css'

const days = 7
const dayMilliseconds = 24 * 3_600_000
const drawing = { width: 360, height: 90 }

type FloatHistory = Schema<'FloatHistory'>
type Movement = FloatHistory['movements'][number]

const columns: readonly Column<Movement>[] = [
  { title: fieldWords.amountGhs, show: ({ amount }) => formatGhs(amount), isMain: true },
  { title: floatWords.how, show: ({ note }) => note },
  { title: fieldWords.when, show: ({ at }) => <Moment at={at} /> },
  { title: fieldWords.by, show: ({ noted_by: by }) => by },
]

/** The float over the last days, a step at each read. */
function FloatLine({ reads }: { readonly reads: FloatHistory['reads'] }) {
  const points = reads.map(({ at, float }) => ({ at: new Date(at).getTime(), float }))
  const [first] = points
  const last = points.at(-1)
  // Two workers may read a float at the same moment. When all reads are of one moment, there is no line to draw.
  if (!first || !last || last.at === first.at) return <p className="soft fine">{floatWords.tooFew}</p>
  const from = Math.max(first.at, last.at - days * dayMilliseconds)
  const title = floatWords.drawn(exactMoment(new Date(from)))
  const most = Math.max(1, ...points.map(({ float }) => float))
  const x = (at: number) => (((at - from) / (last.at - from)) * drawing.width).toFixed(1)
  const y = (float: number) => (drawing.height - 2 - (Math.max(0, float) / most) * (drawing.height - 4)).toFixed(1)
  const path = points.map(({ at, float }, index) => `${index === 0 ? `M${x(at)},` : `H${x(at)}V`}${y(float)}`).join('')
  return (
    <figure className={css.figure}>
      <figcaption>
        {title}: 0 – {formatGhs(most)}
      </figcaption>
      <Drawing className={css.floatLine} width={drawing.width} height={drawing.height} label={title}>
        <path className={css.lineMedian} d={path} vectorEffect="non-scaling-stroke" />
      </Drawing>
    </figure>
  )
}

/**
 * Records money paid in at a supplier or taken out. If the page gets no answer and sends it again, it is recorded only once.
 */
function NoteMovement({ supplier }: { readonly supplier: string }) {
  const sendOnce = useSentOnce(`float.${supplier}`)
  return (
    <Act
      label={floatWords.note}
      question={floatWords.noteQuestion}
      button={{ size: 'compact-sm' }}
      topics={['suppliers', 'reconcile']}
      fields={{
        amount: { kind: 'amount', of: signedCedis, label: fieldWords.amountGhs, help: floatWords.amountHelp },
        note: { kind: 'text', label: floatWords.how, help: floatWords.howHelp, isNeeded: true, lengthMin: 3, lengthMax: 300 },
        at: { kind: 'datetime-local', label: fieldWords.when, help: floatWords.atHelp },
      }}
      run={(_reason, { amount, note, at }) =>
        sendOnce((reference) =>
          post('/desk/api/suppliers/{supplier}/float-movements', {
            supplier,
            reference: reference.replace(/^web-/, ''),
            amount,
            note,
            moved_at: readMoment(at),
          }),
        )
      }
    >
      <p className="soft fine">{floatWords.noteHelp}</p>
    </Act>
  )
}

function FloatNow({ supplier, pace }: { readonly supplier: DeskSupplier; readonly pace: FloatPace | undefined }) {
  const { float, float_read_at: readAt, least_float: least } = supplier
  if (float === null || readAt === null) return <p>{floatWords.neverRead}</p>
  return (
    <div>
      <div className="soft fine">
        {floatWords.now}, {floatWords.read} <Moment at={readAt} />
      </div>
      <output className={css.big} aria-label={floatWords.now}>
        {formatGhs(float)}
      </output>
      {pace && (
        <p className={pace.is_low ? look.warn : 'soft fine'}>
          {fieldWords.lasts} {formatLasting(pace.hours_left)} ·{' '}
          {pace.per_hour === null ? floatWords.paceNotCounted : floatWords.perHour(formatGhs(pace.per_hour))}
          {pace.is_low && <b> · {floatWords.low}</b>}
        </p>
      )}
      {least !== null && <p className="soft fine">{floatWords.least(formatGhs(least))}</p>}
    </div>
  )
}

/** Our float at a supplier: now, over the days, and the movements. */
export function FloatPart({ supplier }: { readonly supplier: DeskSupplier }) {
  const name = supplier.supplier
  const mayNote = useMay('reconcile')
  const query = useFloat(name, days)
  const health = useHealth(24)
  return (
    <>
      <FloatNow supplier={supplier} pace={health.data?.floats.find((each) => each.supplier === name)} />
      <QueryAnswer query={query}>
        {({ reads, movements }) => (
          <>
            <FloatLine reads={reads} />
            <div className={css.partHead}>
              <h2>{floatWords.movements}</h2>
              {mayNote && <NoteMovement supplier={name} />}
            </div>
            {movements.length === 0 ? (
              <p className="soft fine">{floatWords.noMovements}</p>
            ) : (
              <TableOrCards label={floatWords.movements} columns={columns} rows={movements} keyOf={({ movement_id: id }) => id} />
            )}
          </>
        )}
      </QueryAnswer>
    </>
  )
}
