import type { Schema } from '../../both/api/call-api.ts'
import { State } from '../../both/list/state.tsx'
import { stateWords } from '../words/orders.ts'

export type OrderLine = Schema<'OrderLine'>

export function OrderState({ status, isBig }: { readonly status: OrderLine['status']; readonly isBig?: boolean }) {
  const { word, tone } = stateWords[status]
  return (
    <State tone={tone} {...(isBig !== undefined && { isBig })}>
      {word}
    </State>
  )
}
