import { defineChoice, defineSwitch } from '../../platform/settings/setting-schemas.ts'

/** Off: sending answers 503 (decisions S9c). */
export const smsEnabled = defineSwitch('sms_enabled', true, 'Whether SMS are sent; false answers 503.')

/** How a text longer than one part is counted (decisions M1; 3GPP TS 23.040). */
export const smsSegmentRule = defineChoice(
  'sms_segment_rule',
  ['standard', 'flat'],
  'standard',
  'Characters of each part of a long SMS: 153 or 67 (standard), 160 or 70 (flat).',
)

export const smsSettings = [smsEnabled, smsSegmentRule]
