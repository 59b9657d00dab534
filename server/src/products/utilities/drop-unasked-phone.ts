import type { BillerCatalogue } from './biller-catalogue.ts'
import type { BillerKey } from './utilities.schemas.ts'

/**
 * Takes a phone out of a body that nobody has looked at yet where the biller asks for none: whatever it is, it is ignored
 * (decision U2).
 */
export async function dropUnaskedPhone(billers: () => Promise<BillerCatalogue>, body: unknown): Promise<void> {
  if (typeof body !== 'object' || body === null || !('biller' in body) || !('phone' in body)) return
  const biller = (await billers()).get(body.biller as BillerKey)
  if (biller && !biller.requiresPhone) delete body.phone
}
