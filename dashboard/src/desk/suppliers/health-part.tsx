import { useState } from 'react'
import { fieldWords } from '../../both/field-words.ts'
import { Empty, QueryAnswer } from '../../both/layout/query-states.tsx'
import { Choices } from '../../both/list/choices.tsx'
import { choicesOf } from '../../both/list/filter-bar.tsx'
import { type Column, TableOrCards } from '../../both/list/table-or-cards.tsx'
import { showDay, showTime } from '../../both/moments/format-moment.ts'
import { formatCount } from '../../both/money/format-ghs.ts'
import { Figures } from '../frame/figures.tsx'
import look from '../frame/look.module.css'
import { formatPart, formatTime } from '../words/format-figures.ts'
import { outcomeOf, suppliersWords } from '../words/suppliers.ts'
import { type Health, type HourOfSupplier, type SupplierHours, useHealth } from './ask-suppliers.ts'
import { HourBars, HourLines } from './draw-hours.tsx'
import { hoursOf, timesOf } from './hours-of.ts'
import { ScrollBox } from './scroll-box.tsx'
import css from './suppliers.module.css'

type Span = keyof typeof suppliersWords.spans

const hourColumns: readonly Column<HourOfSupplier>[] = [
  { title: fieldWords.hour, show: ({ hour }) => `${showDay(hour)}, ${showTime(hour)}`, isMain: true },
  { title: suppliersWords.attempts, show: ({ attempts }) => formatCount(attempts), isFigure: true },
  { title: fieldWords.delivered, show: ({ success }) => formatPart(success), isFigure: true },
  { title: suppliersWords.answer, show: (hour) => timesOf(hour, 'answer'), isFigure: true },
  { title: suppliersWords.delivery, show: (hour) => timesOf(hour, 'delivery'), isFigure: true },
]

function Outcomes({ health: { outcomes, attempts } }: { readonly health: SupplierHours }) {
  return (
    <>
      <h2 className={css.partTitle}>{suppliersWords.outcomes}</h2>
      <dl className={css.outcomes}>
        {outcomes.map(({ outcome, attempts: count }) => (
          <div key={outcome}>
            <dt>{outcomeOf(outcome)}</dt>
            <dd>
              {formatCount(count)} <span className="soft fine">{formatPart(count / attempts)}</span>
            </dd>
            <dd className={css.share} aria-hidden="true">
              <svg viewBox="0 0 100 4" preserveAspectRatio="none">
                <rect
                  className={outcome === 'delivered' ? css.barGood : css.barBad}
                  width={(count / attempts) * 100}
                  height="4"
                />
              </svg>
            </dd>
          </div>
        ))}
      </dl>
    </>
  )
}

function Legend({ marks }: { readonly marks: readonly (readonly [name: string, style: string | undefined])[] }) {
  return (
    <p className={css.legend} aria-hidden="true">
      {marks.map(([name, style]) => (
        <span key={name}>
          <i className={style} />
          {name}
        </span>
      ))}
    </p>
  )
}

function Drawings({ from, health, span }: { readonly from: string; readonly health: SupplierHours; readonly span: Span }) {
  const hours = hoursOf(from, Number(span), health.by_hour)
  const name = suppliersWords.spans[span]
  const pick = (of: 'answer_p50' | 'answer_p95' | 'delivery_p50' | 'delivery_p95') =>
    hours.map(({ figures }) => figures?.[of] ?? null)
  const { legendDelivered, legendFailed, legendMedian, legendMost } = suppliersWords
  return (
    <>
      <figure className={css.figure}>
        <figcaption>{suppliersWords.drawnOrders(name)}</figcaption>
        <HourBars
          label={suppliersWords.drawnOrders(name)}
          hours={hours.map(({ figures }) => ({ good: figures?.delivered ?? 0, bad: figures?.failed ?? 0 }))}
        />
        <Legend
          marks={[
            [legendDelivered, css.markGood],
            [legendFailed, css.markBad],
          ]}
        />
      </figure>
      {(['answer', 'delivery'] as const).map((what) => (
        <figure key={what} className={css.figure}>
          <figcaption>
            {suppliersWords[what]}: {timesOf(health, what)}
          </figcaption>
          <HourLines
            label={suppliersWords.drawnTimes(suppliersWords[what], name)}
            median={pick(`${what}_p50`)}
            most={pick(`${what}_p95`)}
          />
          <Legend
            marks={[
              [legendMedian, css.markMedian],
              [legendMost, css.markMost],
            ]}
          />
        </figure>
      ))}
    </>
  )
}

function HealthOf({ health, from, span }: { readonly health: SupplierHours; readonly from: string; readonly span: Span }) {
  return (
    <>
      <Figures
        label={suppliersWords.parts.health}
        figures={[
          {
            label: fieldWords.delivered,
            value: formatPart(health.success),
            detail: suppliersWords.successDetail(formatCount(health.delivered), formatCount(health.failed)),
            tone: health.success !== null && health.success < 0.9 ? 'warn' : 'plain',
          },
          {
            label: suppliersWords.answers,
            value: formatTime(health.answer_p95),
            detail: suppliersWords.median(formatTime(health.answer_p50)),
          },
        ]}
      />
      <Drawings from={from} health={health} span={span} />
      <Outcomes health={health} />
      <details className={css.details}>
        <summary>{fieldWords.asTable}</summary>
        <ScrollBox label={fieldWords.asTable}>
          <TableOrCards
            label={suppliersWords.parts.health}
            columns={hourColumns}
            rows={health.by_hour.toReversed()}
            keyOf={({ hour }) => hour}
          />
        </ScrollBox>
      </details>
    </>
  )
}

/** Shows when the worker last counted these figures, or a warning that it has not counted for two hours. */
export function CountedAt({ health }: { readonly health: Health }) {
  const { counted_at: at } = health
  return (
    <p className={`${css.counted} ${at === null ? look.warn : 'soft fine'}`}>
      {at === null ? suppliersWords.notCounted : suppliersWords.countedAt(showTime(at))}
    </p>
  )
}

/** A supplier's figures over a day or a week, drawn and as a table. */
export function HealthPart({ supplier }: { readonly supplier: string }) {
  const [span, setSpan] = useState<Span>('24')
  const query = useHealth(Number(span), supplier)
  return (
    <>
      <Choices label={suppliersWords.span} value={span} options={choicesOf(suppliersWords.spans)} onChoose={setSpan} />
      <QueryAnswer query={query}>
        {(health) => {
          const own = health.suppliers.find(({ supplier: name }) => name === supplier)
          return (
            <>
              <CountedAt health={health} />
              {own ? (
                <HealthOf health={own} from={health.from} span={span} />
              ) : (
                <Empty title={suppliersWords.noHealth}>{suppliersWords.noHealthDetail}</Empty>
              )}
            </>
          )
        }}
      </QueryAnswer>
    </>
  )
}
