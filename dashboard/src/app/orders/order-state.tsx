import type { components } from '../../both/api/dashboard-api.d.ts'
import { State } from '../../both/list/state.tsx'
import { stateWords } from '../words/orders.ts'

export type OrderLine = components['schemas']['OrderLine']

export function OrderState({ status, isBig }: { readonly status: OrderLine['status']; readonly isBig?: boolean }) {
  const { word, tone } = stateWords[status]
  return (
    <State tone={tone} {...(isBig !== undefined && { isBig })}>
      {word}
    </State>
  )
}
