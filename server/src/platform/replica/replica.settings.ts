import { defineCount } from '../settings/setting-schemas.ts'

/** The most that what is read from the replica may be behind. */
export const replicaDelaySeconds = defineCount(
  'replica_delay_seconds',
  { least: 1, most: 300, unit: 'seconds' },
  10,
  'Lists, reports and exports are read from the replica of DATABASE_READ_URL while it is not further behind than this; otherwise from the database itself.',
)
