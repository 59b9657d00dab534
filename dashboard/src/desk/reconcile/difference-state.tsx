import { fieldWords } from '../../both/field-words.ts'
import { State } from '../../both/list/state.tsx'
import { formatGhs } from '../../both/money/format-ghs.ts'
import { reconcileWords } from '../words/reconcile.ts'
import type { Difference } from './ask-reconcile.ts'

/** The amount of one side, the statement's or ours; a dash where that side has none. */
export const showAmount = (amount: number | null): string => (amount === null ? fieldWords.none : formatGhs(amount))

const whys: Readonly<Record<string, string>> = reconcileWords.whys

/** The kind of a difference and, for a line that the supplier should not have billed, the reason. */
export const kindOf = ({ kind, why }: Difference): string =>
  why === null ? reconcileWords.kinds[kind] : `${reconcileWords.kinds[kind]}: ${whys[why] ?? why}`

export function DifferenceState({ difference }: { readonly difference: Difference }) {
  return difference.closed_at === null ? (
    <State tone="wait">{reconcileWords.open}</State>
  ) : (
    <State tone="done">{reconcileWords.closed}</State>
  )
}
