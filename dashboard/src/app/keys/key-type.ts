import type { Schema } from '../../both/api/call-api.ts'
import { useRead } from '../../both/api/use-read.ts'
import type { Tone } from '../../both/list/state.tsx'

export type TypedKey = Schema<'DeveloperKeys'>['keys'][number]
export type LiveKey = NonNullable<TypedKey['key']>
export type KeyType = TypedKey['type']

/**
 * The three types of keys, each with the account's key of that type and the old key that still works beside it, if there are
 * any.
 */
export const useKeys = () => useRead('keys', '/app/api/keys')

/** The state of a type of key: its key works, waits for approval, or does not exist. */
export function stateOf({ key }: TypedKey): { readonly state: 'active' | 'pending' | 'none'; readonly tone: Tone } {
  if (!key) return { state: 'none', tone: 'plain' }
  return key.status === 'active' ? { state: 'active', tone: 'done' } : { state: 'pending', tone: 'wait' }
}
