import type { Db } from '../../platform/database/database.ts'
import { cachedByEpoch, type Epoch } from '../../platform/database/epoch.ts'
import { type Refusal, RefusalError, refusals } from '../../platform/http/refusals.ts'
import type { Settings } from '../../platform/settings/settings.ts'
import type { BillerKey } from './utilities.schemas.ts'
import { billerEnabled, billsSwitchedOff, utilitiesEnabled } from './utilities.settings.ts'

/** A biller and the fields that it needs (contract, Biller). */
export type Biller = {
  readonly key: BillerKey
  readonly label: string
  readonly accountLabel: string
  readonly requiresPhone: boolean
  readonly lookupBy: 'phone' | 'account'
  readonly linksPhoneToAccount: boolean
  readonly hasAmountDue: boolean
}

/** Billers in the order in which the API lists them. */
export type BillerCatalogue = ReadonlyMap<BillerKey, Biller>

async function readBillers(db: Db): Promise<BillerCatalogue> {
  const rows = await db.selectFrom('billers').selectAll().orderBy('position').execute()
  return new Map(
    rows.map((row) => [
      row.key,
      {
        key: row.key,
        label: row.label,
        accountLabel: row.account_label,
        requiresPhone: row.requires_phone,
        lookupBy: row.lookup_by,
        linksPhoneToAccount: row.links_phone_to_account,
        hasAmountDue: row.has_amount_due,
      },
    ]),
  )
}

export function createBillerCatalogue(db: Db, epoch: Epoch): () => Promise<BillerCatalogue> {
  const load = cachedByEpoch(epoch, () => readBillers(db))
  return () => load('')
}

/**
 * Reads a biller's rules.
 * @throws RefusalError 400 when the operator has removed its row
 */
export async function readBiller(billers: () => Promise<BillerCatalogue>, key: BillerKey): Promise<Biller> {
  const biller = (await billers()).get(key)
  if (!biller) throw new RefusalError(refusals.invalidRequest(`biller ${key} is not known here.`))
  return biller
}

/** The refusal of look-ups and new payments while utility bills, or this biller, are switched off (decision S9c). */
export async function findDisabledBillerRefusal(settings: Settings, biller: BillerKey): Promise<Refusal | undefined> {
  if (!(await settings.read(utilitiesEnabled))) return billsSwitchedOff
  if (!(await settings.read(billerEnabled[biller]))) return refusals.featureDisabled(`The biller ${biller}`)
  return undefined
}
