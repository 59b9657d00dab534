import { defineSwitch } from '../../platform/settings/setting-schemas.ts'

/** Off at first, because the operator pays for these texts. */
export const signInTexts = defineSwitch(
  'sign_in_texts',
  false,
  'Whether resellers’ people may have a phone number as a second way to a new password. Takes an SMS link and a sender of the pool.',
)
