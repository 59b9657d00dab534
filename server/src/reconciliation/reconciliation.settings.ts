import { defineGhsAmount } from '../platform/settings/setting-schemas.ts'

/** A larger difference between a float and our books raises an alarm. */
export const floatDriftTolerance = defineGhsAmount(
  'float_drift_tolerance',
  5,
  'GHS by which a supplier’s float may differ from what your books expect of a day, before an alarm is raised.',
)

export const reconciliationSettings = [floatDriftTolerance]
