import { defineCount, defineSwitch } from '../platform/settings/setting-schemas.ts'

/** Off at first, because the operator pays for these SMS. */
export const resellerSmsNotices = defineSwitch(
  'reseller_sms_notices',
  false,
  'Whether resellers with a phone number (`account set-notices`) are told by SMS as well as by mail.',
)

export const noticeDays = defineCount(
  'notice_days',
  { least: 8, most: 3_650, unit: 'days' },
  90,
  'Days after which the words of a notice to a reseller are forgotten, and where it was sent.',
)

export const resellerNoticeSettings = [resellerSmsNotices, noticeDays]
