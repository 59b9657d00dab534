import type { Installation } from './installation.ts'

/** Far more requests a minute than any run sends. */
const perMinute = 1_000_000

const endpoints = [
  'POST /airtime/purchase',
  'GET /airtime/orders/{reference}',
  'POST /utilities/pay',
  'GET /utilities/orders/{reference}',
] as const

/** Raises the rate limits for a run with airtime and bills. Every process applies them within a second. */
export async function liftRateLimits(installation: Installation): Promise<void> {
  const limits = Object.fromEntries(endpoints.map((endpoint) => [endpoint, perMinute]))
  await installation.command('setting', 'set', 'rate_limits', JSON.stringify(limits))
}
