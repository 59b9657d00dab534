import type { Generated } from 'kysely'

/** The kinds of push notices: an order bought in the app was delivered or has failed, or a top-up was credited. */
export const pushKinds = ['delivered', 'failed', 'credited'] as const
export type PushKind = (typeof pushKinds)[number]

declare module '../../platform/database/database.ts' {
  interface Tables {
    push_keys: { name: string; public_key: string; private_key: string; made_at: Generated<Date> }
    push_devices: {
      session_id: string
      person_id: string
      endpoint: string
      public_key: string
      auth_secret: string
      kinds: PushKind[]
      created_at: Generated<Date>
      failures: Generated<number>
      next_try_at: Generated<Date>
    }
    push_notices: {
      session_id: string
      cause_id: string
      kind: PushKind
      tail: string
      created_at: Generated<Date>
      ended_at: Date | null
    }
    push_progress: { is_only: Generated<boolean>; looked_until: Date }
  }
}
