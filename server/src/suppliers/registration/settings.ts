import Type, { type Static } from 'typebox'
import Value from 'typebox/value'
import { ApiPath, settingsFault } from '../adapter.ts'

/** The `settings` of a registration server's row in `suppliers`. */
export const RegistrationSettings = Type.Object(
  {
    /** The path below the base URL, for servers that share an address: `/1`. */
    apiPath: Type.Optional(ApiPath),
  },
  { additionalProperties: false },
)
export type RegistrationSettings = Static<typeof RegistrationSettings>

/**
 * Checks the settings of a registration server's row.
 * @throws Error that names the wrong setting
 */
export function readRegistrationSettings(settings: unknown): { readonly apiPath: string } {
  if (!Value.Check(RegistrationSettings, settings)) throw settingsFault('a registration server', RegistrationSettings, settings)
  return { apiPath: settings.apiPath ?? '' }
}
