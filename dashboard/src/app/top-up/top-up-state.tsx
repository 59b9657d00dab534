import type { Schema } from '../../both/api/call-api.ts'
import { State, type Tone } from '../../both/list/state.tsx'
import { topUpWords } from '../words/top-up.ts'

export type TopUp = Schema<'TopUp'>

type PayerState = keyof typeof topUpWords.states

const tones: Readonly<Record<PayerState, Tone>> = {
  checking: 'wait',
  not_begun: 'wait',
  in_progress: 'wait',
  unanswered: 'wait',
  waiting: 'wait',
  credited: 'done',
  failed: 'fail',
  expired: 'plain',
  held: 'fail',
  declined: 'fail',
}

/** The state of a top-up for its payer. While the top-up is open, the gateway's last answer decides. */
export function stateOf({ state, said }: Pick<TopUp, 'state' | 'said'>): PayerState {
  if (state !== 'pending') return state
  if (said === 'not_begun' || said === 'in_progress' || said === 'unanswered') return said
  return 'checking'
}

export function TopUpState({ topUp }: { readonly topUp: TopUp }) {
  const standing = stateOf(topUp)
  return <State tone={tones[standing]}>{topUpWords.states[standing]}</State>
}
