import { defineGhsBounds, defineSwitch } from '../../platform/settings/setting-schemas.ts'

/** Off: airtime purchases answer 503 (decision S9c). */
export const airtimeEnabled = defineSwitch('airtime_enabled', true, 'Whether airtime is sold; false answers 503.')

/** The least and the most airtime of one purchase, per network (decisions N8: the suppliers' own cap per request). */
export const airtimeBounds = {
  MTN: boundsOf('MTN'),
  Telecel: boundsOf('Telecel'),
  AT: boundsOf('AT'),
} as const

function boundsOf(network: string) {
  return defineGhsBounds(
    [`airtime_min.${network}`, 1, `The least ${network} airtime of one purchase, in GHS.`],
    [`airtime_max.${network}`, 100, `The most ${network} airtime of one purchase, in GHS.`],
  )
}

export const airtimeSettings = [
  airtimeEnabled,
  ...Object.values(airtimeBounds).flatMap((bounds) => [bounds.minimum, bounds.maximum]),
]
