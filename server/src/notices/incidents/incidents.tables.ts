import type { Generated } from 'kysely'

/** How grave an incident is. `news` is no trouble: something to know. */
export const incidentLevels = ['news', 'trouble', 'outage'] as const
export type IncidentLevel = (typeof incidentLevels)[number]

declare module '../../platform/database/database.ts' {
  interface Tables {
    incidents: {
      id: string
      level: IncidentLevel
      message: string
      shown_from: Date
      /** Null: until somebody ends it. */
      shown_until: Date | null
      announced_by: string
      announced_at: Generated<Date>
      ended_by: string | null
      ended_at: Date | null
    }
  }
}
