import { defineCount } from '../settings/setting-schemas.ts'

export const backupAlarmHours = defineCount(
  'backup_alarm_hours',
  { least: 0, most: 720, unit: 'hours' },
  26,
  'With real money, an alarm is raised when the newest backup that is known is older than this; 0: never. The default leaves a nightly backup two hours.',
)
