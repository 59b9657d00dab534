import type { BillerCatalogue } from './biller-catalogue.ts'
import type { BillerKey } from './utilities.schemas.ts'

/**
 * Removes the phone from a body that has not been checked yet, if the biller does not need one: it is ignored, whatever
 * it is (decision U2).
 */
export async function dropUnaskedPhone(billers: () => Promise<BillerCatalogue>, body: unknown): Promise<void> {
  if (typeof body !== 'object' || body === null || !('biller' in body) || !('phone' in body)) return
  const biller = (await billers()).get(body.biller as BillerKey)
  if (biller && !biller.requiresPhone) delete body.phone
}
