import { defineGhsAmount } from '../platform/settings/setting-schemas.ts'

/** By how much a float may have moved otherwise than our books say, before somebody is told. */
export const floatDriftTolerance = defineGhsAmount(
  'float_drift_tolerance',
  5,
  'GHS by which a supplier’s float may differ from what your books expect of a day, before the alarm float_drift.',
)

export const reconciliationSettings = [floatDriftTolerance]
