import { defineCount } from '../../platform/settings/setting-schemas.ts'
import type { Setting } from '../../platform/settings/settings.ts'

/** The command, which is also the kind of the proposal and the action in the operator's log. */
export const lostFactorReset = 'member reset-second-factor'

/**
 * At most six days: a proposal ends seven days after it was made, and the wait begins only with the mail to the owners, which may
 * be late.
 */
export const lostFactorWaitHours: Setting<number> = {
  ...defineCount(
    'lost_factor_wait_hours',
    { least: 1, most: 144, unit: 'hours' },
    24,
    'How long a lost second factor of a reseller’s person waits where one of the staff decides alone. Meanwhile the person can stop it.',
  ),
  loosens: (before, after) => after < before,
}
