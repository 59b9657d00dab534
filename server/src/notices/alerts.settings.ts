import Type from 'typebox'
import { defineSetting } from '../platform/settings/settings.ts'

/** True when a person who got alarms gets none any more. */
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
