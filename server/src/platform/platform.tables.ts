import type { ColumnType, Generated } from 'kysely'

declare module './database/database.ts' {
  interface Tables {
    installation: { only_row: Generated<boolean>; mode: 'simulated' | 'live' | 'test'; stamped_at: Generated<Date> }
    cache_epoch: { only_row: Generated<boolean>; epoch: Generated<number>; catalogue_version: Generated<number> }
    /** Counts of requests and tries. `expire`: the end of the window, in milliseconds since 1970. */
    rate_limits: { key: string; points: number; expire: number }
    settings: { name: string; value: ColumnType<unknown, string, string>; updated_at: Generated<Date>; updated_by: string }
    setting_returns: {
      id: string
      name: string
      value: ColumnType<unknown, string, string>
      returns_to: ColumnType<unknown, string, string>
      is_to_default: boolean
      returns_at: Date
      reason: string | null
      made_by: string
      made_at: Generated<Date>
      /** The reason why the setting could not return at its time. */
      refused_because: string | null
      tried_at: Date | null
      ended_at: Date | null
      ended_how: 'returned' | 'kept' | 'replaced' | null
      ended_by: string | null
    }
    operator_log: {
      id: Generated<number>
      at: Generated<Date>
      actor: string
      action: string
      subject: string
      details: ColumnType<Record<string, unknown>, string | undefined, string>
      /**
       * The user of the operating system, which the database reads from the session of a command. Null when no command
       * wrote the line.
       */
      os_user: ColumnType<string | null, never, never>
      transaction_id: ColumnType<string, never, never>
      era: ColumnType<number, never, never>
    }
  }
}
