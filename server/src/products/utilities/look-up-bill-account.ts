import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { Purchaser } from '../../accounts/caller.ts'
import { ghs } from '../../money/pesewas.ts'
import type { Db } from '../../platform/database/database.ts'
import { rowsOf } from '../../platform/database/rows-of.ts'
import type { PersonalRow, PersonalSource } from '../../platform/forgetting/personal-source.ts'
import { RefusalError } from '../../platform/http/refusals.ts'
import type { Settings } from '../../platform/settings/settings.ts'
import { type BillAccount, type BillLookup, paysBills, type SupplierRegistry } from '../../suppliers/ports.ts'
import { parseRouteName, type Routes } from '../../suppliers/route-ports.ts'
import { type BillerCatalogue, findDisabledBillerRefusal, readBiller } from './biller-catalogue.ts'
import { checkBillAccount } from './check-bill-account.ts'
import { billRefusals } from './utilities.refusals.ts'
import type { UtilityLookupQuery } from './utilities.schemas.ts'

export type LookupDeps = {
  readonly db: Db
  readonly settings: Settings
  readonly billers: () => Promise<BillerCatalogue>
  readonly routes: Pick<Routes, 'choose'>
  readonly suppliers: Pick<SupplierRegistry, 'find'>
  readonly log: Pick<Logger, 'warn'>
}

/** Callers give up after about 25 s and should get a 502 before that. */
const answerWithinMilliseconds = 20_000

/** For `longWork`: the reason why these routes may take longer. */
export const lookupWork = 'The biller is given 20 s to say whose account it is.'

async function ask(deps: LookupDeps, account: BillAccount): Promise<BillLookup> {
  const route = parseRouteName(deps.routes.choose('utilities', account.biller) ?? '')
  const supplier = route && deps.suppliers.find(route.supplier)
  if (!supplier || !paysBills(supplier)) return { meaning: 'unavailable', evidence: 'no supplier takes look-ups of this biller' }
  try {
    return await supplier.lookUpAccount(account, AbortSignal.timeout(answerWithinMilliseconds))
  } catch (error) {
    return { meaning: 'unavailable', evidence: error instanceof Error ? error.message : String(error) }
  }
}

type FoundAccount = BillLookup & { readonly meaning: 'found' }

/** Stores the holders' names for this reseller's later payments (decision F4: whose name a bill shows). */
async function rememberNames(db: Db, accountId: string, asked: BillAccount, found: FoundAccount): Promise<void> {
  const names = new Map(found.meters.map((meter) => [meter.meterNumber, meter.name]))
  if (found.accountName !== null) {
    names.set(found.accountNumber ?? asked.account, found.accountName)
    names.set(asked.account, found.accountName)
  }
  const known = [...names].filter(([number, name]) => number !== '' && name !== '')
  if (known.length === 0) return
  await sql`
    insert into looked_up_accounts (account_id, biller, account_number, account_name)
    select ${accountId}, ${asked.biller}, number, name
    from ${rowsOf(known, {
      number: ['text', ([number]) => number],
      name: ['text', ([, name]) => name],
    }).as('known')}
    order by number
    on conflict (account_id, biller, account_number)
      do update set account_name = excluded.account_name, looked_up_at = now()`.execute(db)
}

/** A found account as the contract shows it. For billers looked up by phone everything is in the meters. */
function viewLookup(found: FoundAccount, isByPhone: boolean) {
  return {
    account_name: isByPhone ? null : found.accountName,
    account_number: isByPhone ? null : found.accountNumber,
    amount_due: isByPhone || found.amountDuePesewas === null ? null : ghs(found.amountDuePesewas),
    bouquet: isByPhone ? null : found.bouquet,
    meters: found.meters.map(({ name, meterNumber, outstandingPesewas }) => ({
      name,
      meterNumber,
      outstanding: ghs(outstandingPesewas),
    })),
  }
}

/**
 * Looks an account up at its biller (contract, GET /utilities/lookup). Moves no money.
 * @throws RefusalError 400 when a required field is missing or malformed, or the biller is not known here, 503 when
 *   switched off, 404 when the biller knows no such account, 502 when the biller could not be asked
 */
export async function lookUpBillAccount(deps: LookupDeps, purchaser: Purchaser, query: UtilityLookupQuery) {
  const biller = await readBiller(deps.billers, query.biller)
  const refusal = checkBillAccount(biller, query) ?? (await findDisabledBillerRefusal(deps.settings, query.biller))
  if (refusal) throw new RefusalError(refusal)
  const asked: BillAccount = {
    biller: biller.key,
    account: query.account,
    phone: biller.requiresPhone ? query.phone : undefined,
  }
  const found = await ask(deps, asked)
  if (found.meaning === 'unavailable') {
    deps.log.warn({ biller: biller.key, evidence: found.evidence }, 'a biller could not be asked')
    throw new RefusalError(billRefusals.billerUnreachable)
  }
  if (found.meaning === 'not_found') throw new RefusalError(billRefusals.billAccountNotFound)
  // A failure to store the names must not lose the answer.
  await rememberNames(deps.db, purchaser.accountId, asked, found).catch((error: unknown) => {
    deps.log.warn({ err: error }, 'the name of an account could not be kept')
  })
  return viewLookup(found, biller.lookupBy === 'phone')
}

/** Days for which a holder's name is stored after the last look-up, and no longer, because these people are not our customers. */
const keptDays = 90

/** Deletes holders' names `keptDays` days after the last look-up. Payments made until then keep the name. */
export async function purgeLookedUpAccounts(db: Db): Promise<void> {
  await sql`delete from looked_up_accounts where looked_up_at < now() - make_interval(days => ${keptDays})`.execute(db)
}

/** Look-ups of a meter or smartcard, with the name of its holder. */
export const lookUpsOfAccount: PersonalSource = {
  table: 'looked_up_accounts',
  title: 'Look-ups of the meter or smartcard',
  async find({ db }, { forms }) {
    const { rows } = await sql<PersonalRow>`
      select account_id || ' ' || biller as id, account_id, biller, account_number, account_name, looked_up_at
      from looked_up_accounts where account_number = any(${forms}::text[])`.execute(db)
    return rows
  },
  async erase(tx, rows, { forms }) {
    await sql`delete from looked_up_accounts where account_number = any(${forms}::text[])`.execute(tx)
    return rows.map(({ id }) => id)
  },
}
