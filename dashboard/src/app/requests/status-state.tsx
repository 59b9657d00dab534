import { State } from '../../both/list/state.tsx'

/** A status as a sign and a number: accepted, refused, or failed on our side. */
export function StatusState({ status }: { readonly status: number }) {
  return <State tone={status < 400 ? 'done' : status < 500 ? 'wait' : 'fail'}>{status}</State>
}
