import Type from 'typebox'
import { defineCount, defineSwitch } from '../platform/settings/setting-schemas.ts'
import { defineSetting } from '../platform/settings/settings.ts'

/** True when a change removes or replaces the address that got the alarms before. */
const isSilenced = (before: string, after: string) => before !== '' && after !== before

export const alertEmail = defineSetting({
  name: 'alert_email',
  schema: Type.String({ maxLength: 254, pattern: '^$|^[^\\s@,<>]+@[^\\s@,<>]+$' }),
  defaultValue: '',
  allowed: 'an e-mail address, or an empty text for none',
  help: 'Where alarms are mailed to, through SMTP_URL. Try it with `makola alert test`.',
  loosens: isSilenced,
})

export const alertWebhookUrl = defineSetting({
  name: 'alert_webhook_url',
  schema: Type.String({ maxLength: 2_000, pattern: '^$|^https://[^\\s]+$' }),
  defaultValue: '',
  allowed: 'an address that starts with https://, or an empty text for none',
  help: 'Where alarms are posted to as JSON; Slack and Mattermost understand it. Try it with `makola alert test`.',
  loosens: isSilenced,
})

export const alertSettings = [alertEmail, alertWebhookUrl]

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
