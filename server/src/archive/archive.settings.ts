import { defineCount } from '../platform/settings/setting-schemas.ts'

export const archiveAfterMonths = defineCount(
  'archive_after_months',
  { least: 0, most: 240, unit: 'months' },
  0,
  'Months after which a worker puts a month away into files by itself; 0: it never does. A month is never put away before the numbers of its orders are forgotten.',
)
