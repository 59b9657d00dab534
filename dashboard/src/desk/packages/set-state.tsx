import { State, type Tone } from '../../both/list/state.tsx'
import { showDay, showTime } from '../../both/moments/format-moment.ts'
import { packageWords } from '../words/packages.ts'
import type { PriceSet } from './package-calls.ts'
import css from './packages.module.css'

const words = packageWords.sets

const tones: Readonly<Record<PriceSet['state'], Tone>> = { waiting: 'wait', held: 'fail', done: 'done', cancelled: 'plain' }

/** The state of scheduled prices, and whether they will be held. */
export function SetState({ set: { state, clashes } }: { readonly set: Pick<PriceSet, 'state' | 'clashes'> }) {
  return (
    <span className={css.states}>
      <State tone={tones[state]}>{words.states[state]}</State>
      {state === 'waiting' && clashes > 0 && <State tone="fail">{words.clashes(clashes)}</State>}
    </span>
  )
}

export const showMinute = (at: string): string => `${showDay(at)}, ${showTime(at)}`
