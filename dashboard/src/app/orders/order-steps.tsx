import type { Schema } from '../../both/api/call-api.ts'
import { StateIcon } from '../../both/list/state.tsx'
import { exactMoment, showDay, showTime } from '../../both/moments/format-moment.ts'
import { stepWords } from '../words/orders.ts'
import css from './orders.module.css'

type Step = Schema<'OrderStep'>

/** The steps of an order. The day is shown where it changes. */
export function OrderSteps({ steps }: { readonly steps: readonly Step[] }) {
  return (
    <ol className={css.steps}>
      {steps.map(({ at, step, count, reason }, index) => {
        const { words, tone } = stepWords[step]
        const before = steps[index - 1]
        const isNewDay = before === undefined || showDay(before.at) !== showDay(at)
        return (
          <li key={`${step}-${at}`} className={css.step}>
            <span className={css.sign}>
              <StateIcon tone={tone} />
            </span>
            <b>{words(count)}</b>
            {reason !== null && <div>{reason}</div>}
            <time className={css.stepTime} dateTime={at} title={exactMoment(at)} style={{ display: 'block' }}>
              {isNewDay ? `${showDay(at)}, ${showTime(at)}` : showTime(at)}
            </time>
          </li>
        )
      })}
    </ol>
  )
}
