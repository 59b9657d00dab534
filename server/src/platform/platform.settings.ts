import { defineCount } from './settings/setting-schemas.ts'

/** The function `forget_numbers_before` of the schema has the same default and the same least value. */
export const numberMonths = defineCount(
  'number_months',
  { least: 6, most: 120, unit: 'months' },
  24,
  'Months after which the numbers of orders, SMS and payers are forgotten: a part of each is masked, and it is still found by a search for the whole number.',
)

export const signInAddressDays = defineCount(
  'sign_in_address_days',
  { least: 1, most: 3_650, unit: 'days' },
  90,
  'Days after which it is forgotten from which address somebody signed in or a key was last used.',
)

export const forgettingSettings = [numberMonths, signInAddressDays]

export const backupAlarmHours = defineCount(
  'backup_alarm_hours',
  { least: 0, most: 720, unit: 'hours' },
  26,
  'With real money, an alarm is raised when the newest backup that is known is older than this; 0: never. The default leaves a nightly backup two hours.',
)

export const replicaDelaySeconds = defineCount(
  'replica_delay_seconds',
  { least: 1, most: 300, unit: 'seconds' },
  10,
  'Lists, reports and exports are read from the replica of DATABASE_READ_URL while it is not further behind than this; otherwise from the database itself.',
)
