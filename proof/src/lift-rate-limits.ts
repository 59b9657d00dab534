import type { Installation } from './installation.ts'

/** Requests a minute that no run comes near. */
const perMinute = 1_000_000

const endpoints = [
  'POST /airtime/purchase',
  'GET /airtime/orders/{reference}',
  'POST /utilities/pay',
  'GET /utilities/orders/{reference}',
] as const

/** Takes the limits of the contract out of the way of a run that sells airtime and pays bills. Every process knows within a second. */
export async function liftRateLimits(installation: Installation): Promise<void> {
  const limits = Object.fromEntries(endpoints.map((endpoint) => [endpoint, perMinute]))
  await installation.command('setting', 'set', 'rate_limits', JSON.stringify(limits))
}
