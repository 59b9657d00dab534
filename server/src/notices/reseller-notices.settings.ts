import { defineSwitch } from '../platform/settings/setting-schemas.ts'

/** Off at first, because the operator pays for these SMS. */
export const resellerSmsNotices = defineSwitch(
  'reseller_sms_notices',
  false,
  'Whether resellers with a phone number (`account set-notices`) are told by SMS as well as by mail.',
)

export const resellerNoticeSettings = [resellerSmsNotices]
