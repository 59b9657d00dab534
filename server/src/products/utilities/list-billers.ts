import type { Settings } from '../../platform/settings/settings.ts'
import { type BillerCatalogue, findDisabledBillerRefusal } from './biller-catalogue.ts'
import { utilitiesMaxAmount, utilitiesMinAmount } from './utilities.settings.ts'

/** Lists every biller, also those switched off, with the present bounds of a payment (contract, Utilities, 1). */
export async function listBillers(deps: { readonly settings: Settings; readonly billers: () => Promise<BillerCatalogue> }) {
  const billers = await Promise.all(
    [...(await deps.billers()).values()].map(async (biller) => ({
      key: biller.key,
      label: biller.label,
      enabled: (await findDisabledBillerRefusal(deps.settings, biller.key)) === undefined,
      account_label: biller.accountLabel,
      requires_phone: biller.requiresPhone,
      lookup_by: biller.lookupBy,
      links_phone_to_account: biller.linksPhoneToAccount,
      has_amount_due: biller.hasAmountDue,
    })),
  )
  return {
    billers,
    min_amount: await deps.settings.read(utilitiesMinAmount),
    max_amount: await deps.settings.read(utilitiesMaxAmount),
    currency: 'GHS' as const,
  }
}
