import type { Generated } from 'kysely'

/** From the least to the most serious. `news` reports no problem. */
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
