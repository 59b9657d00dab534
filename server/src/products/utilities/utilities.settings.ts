import { defineGhsBounds, defineSwitch } from '../../platform/settings/setting-schemas.ts'

/** Off: look-ups and payments of every biller answer 503 (decision S9c). */
export const utilitiesEnabled = defineSwitch('utilities_enabled', true, 'Whether utility bills are paid; false answers 503.')

/** Off: the biller stays listed with `enabled: false`, its look-ups and payments answer 503. */
export const billerEnabled = {
  ecg: billerSwitch('ecg'),
  ghana_water: billerSwitch('ghana_water'),
  dstv: billerSwitch('dstv'),
  gotv: billerSwitch('gotv'),
  startimes: billerSwitch('startimes'),
} as const

function billerSwitch(biller: string) {
  return defineSwitch(`biller_enabled.${biller}`, true, `Whether bills of ${biller} are paid; false answers 503.`)
}

/** The bounds of a payment, as GET /utilities/billers shows them (contract, Utilities, rule 1). */
const amountBounds = defineGhsBounds(
  ['utilities_min_amount', 1, 'The least amount of a bill payment, in GHS.'],
  ['utilities_max_amount', 1000, 'The most amount of a bill payment, in GHS.'],
)
export const utilitiesMinAmount = amountBounds.minimum
export const utilitiesMaxAmount = amountBounds.maximum

export const utilitiesSettings = [utilitiesEnabled, ...Object.values(billerEnabled), utilitiesMinAmount, utilitiesMaxAmount]
