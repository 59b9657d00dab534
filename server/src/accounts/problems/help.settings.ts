import Type from 'typebox'
import { defineCount } from '../../platform/settings/setting-schemas.ts'
import { defineSetting, type Setting, type Settings } from '../../platform/settings/settings.ts'

/** Defines a setting for a phone number with its country code, so that it works from any country. Empty: there is none. */
const defineNumber = (name: string, help: string): Setting<string> =>
  defineSetting({
    name,
    schema: Type.String({ maxLength: 16, pattern: '^$|^\\+[1-9][0-9]{7,14}$' }),
    defaultValue: '',
    allowed: 'a number with its country and without spaces, such as +233241234567, or an empty text for none',
    help,
  })

export const helpWhatsApp = defineNumber(
  'help_whatsapp',
  'The WhatsApp number where resellers ask for help. The app shows it, also at the sign-in.',
)

export const helpPhone = defineNumber(
  'help_phone',
  'The number that resellers call for help. The app shows it, also at the sign-in.',
)

export const helpHours = defineSetting({
  name: 'help_hours',
  schema: Type.String({ maxLength: 80, pattern: '^[^\\x00-\\x1f\\x7f-\\x9f]*$' }),
  defaultValue: '',
  allowed: 'at most 80 characters, such as Monday to Saturday, 8:00 to 20:00; or an empty text',
  help: 'When somebody answers there, in words for resellers.',
})

export const problemDays = defineCount(
  'problem_days',
  { least: 8, most: 3_650, unit: 'days' },
  180,
  'Days after its answer after which the words of a problem that a reseller reported are forgotten, with the answer.',
)

export const helpSettings = [helpWhatsApp, helpPhone, helpHours, problemDays]

/** Reads how resellers reach the operator; null for each part that the operator has not set. */
export async function readHelp(settings: Settings) {
  const [whatsapp, phone, hours] = await Promise.all([
    settings.read(helpWhatsApp),
    settings.read(helpPhone),
    settings.read(helpHours),
  ])
  return { whatsapp: whatsapp || null, phone: phone || null, hours: hours || null }
}
