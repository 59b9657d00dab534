import type { ColumnType, Generated } from 'kysely'

declare module '../../../platform/database/database.ts' {
  interface Tables {
    registrations: {
      number: string
      server: number
      state: 'registered' | 'pending' | 'not_registered'
      checked_at: ColumnType<Date, Date | undefined, Date> & Generated<Date>
    }
  }
}
