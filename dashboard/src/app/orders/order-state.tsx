import type { Schema } from '../../both/api/call-api.ts'
import { StateOf } from '../../both/list/state.tsx'
import { stateWords } from '../words/orders.ts'

export type OrderLine = Schema<'OrderLine'>

export function OrderState({ status, isBig }: { readonly status: OrderLine['status']; readonly isBig?: boolean }) {
  return <StateOf {...stateWords[status]} {...(isBig !== undefined && { isBig })} />
}
