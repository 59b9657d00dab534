import { defineCount } from '../platform/settings/setting-schemas.ts'

/** An order that waits longer for our own mistake to be mended fails (decision S12b). */
export const platformPatience = defineCount(
  'platform_patience',
  { least: 1, most: 10_080, unit: 'minutes' },
  30,
  'Minutes that an order waits for a mistake of ours (a wrong package code, refused credentials) to be mended, before it fails. Where failed orders are refunded by themselves, its money goes back at once.',
)

/** The function `forget_evidence` of the schema has the same default and the same least value. */
export const evidenceDays = defineCount(
  'evidence_days',
  { least: 30, most: 3_650, unit: 'days' },
  180,
  'Days after which the words of suppliers about an ended order are forgotten; what they meant, and their references, stay.',
)

export const ordersSettings = [platformPatience, evidenceDays]
