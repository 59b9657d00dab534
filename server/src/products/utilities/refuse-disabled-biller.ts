import { type Refusal, refusals } from '../../platform/http/refusals.ts'
import type { Settings } from '../../platform/settings/settings.ts'
import type { BillerKey } from './utilities.schemas.ts'
import { billerEnabled, billsSwitchedOff, utilitiesEnabled } from './utilities.settings.ts'

/** The refusal of look-ups and new payments while utility bills, or this biller, are switched off (decision S9c). */
export async function refuseDisabledBiller(settings: Settings, biller: BillerKey): Promise<Refusal | undefined> {
  if (!(await settings.read(utilitiesEnabled))) return billsSwitchedOff
  if (!(await settings.read(billerEnabled[biller]))) return refusals.featureDisabled(`The biller ${biller}`)
  return undefined
}
