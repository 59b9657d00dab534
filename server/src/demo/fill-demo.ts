import { sql } from 'kysely'
import type { KeyType } from '../accounts/caller.ts'
import { createAccount } from '../accounts/create-account.ts'
import { createKey } from '../accounts/create-key.ts'
import { exampleRequestId } from '../accounts/request-log/request-log.routes.ts'
import type { Config } from '../config.ts'
import { creditWallet } from '../money/credit-wallet.ts'
import { transferInstructions } from '../money/top-ups/top-ups.settings.ts'
import { type CommissionRate, type CommissionShare, writeCommissionPlan } from '../money/write-commission-plan.ts'
import type { Db, Tx } from '../platform/database/database.ts'
import { inTransaction } from '../platform/database/in-transaction.ts'
import { newId } from '../platform/database/new-id.ts'
import { loadSecretsKeys } from '../platform/secrets/load-secrets-keys.ts'
import type { SecretsKeys } from '../platform/secrets/secrets-keys.ts'
import { writePackages } from '../products/data/catalogue/write-packages.ts'
import { addPoolSender } from '../products/sms/campaigns/decide-sender.ts'
import { seedSimulatedSuppliers } from '../suppliers/registry/seed-simulated-suppliers.ts'
import { demoPackages } from './demo-catalogue.ts'
import { type DemoKeys, type DemoSignIns, demoEmail, demoName, writeDemoKeys, writeDemoSignIns } from './demo-files.ts'
import { hasAccounts } from './has-accounts.ts'
import { seedCosts } from './seed-costs.ts'
import { seedDemoPersons } from './seed-demo-persons.ts'
import { seedVouchers } from './seed-vouchers.ts'

const rates = (product: string, byNetwork: Readonly<Record<string, number>>): CommissionRate[] =>
  Object.entries(byNetwork).map(([network, rateBasisPoints]) => ({ product, network, rateBasisPoints }))

const shares = (product: string, byRole: Readonly<Record<CommissionShare['role'], number>>): CommissionShare[] =>
  (['customer', 'agent', 'dealer'] as const).map((role) => ({ product, role, shareBasisPoints: byRole[role] }))

/** The commission that the demo expects from its suppliers, in basis points of the amount; invented, near real figures. */
export const demoCommissionRates: readonly CommissionRate[] = [
  ...rates('airtime', { MTN: 300, Telecel: 350, AT: 400 }),
  ...rates('utilities', { ecg: 125, ghana_water: 125, dstv: 150, gotv: 150, startimes: 175 }),
]

/**
 * The shares of the commission that the demo's resellers get, in basis points. On airtime only lifetime agents and dealers earn
 * commission.
 */
export const demoCommissionShares: readonly CommissionShare[] = [
  ...shares('airtime', { customer: 0, agent: 5_000, dealer: 6_000 }),
  ...shares('utilities', { customer: 2_500, agent: 5_000, dealer: 6_000 }),
]

const demoPoolSender = 'Makola'

const actor = 'demo'

/** How the demo's resellers pay in by a transfer; nobody has this number. */
const demoTransferInstructions = 'MTN MoMo to 024 000 0000 (Makola Demo).\nWrite your e-mail as the reference.'
/** The least balances of a fresh demo after all invented purchases and credits, in pesewas or in credits. */
const startBalances = [
  { purse: 'main', balance: 100_000, externalId: 'demo-wallet' },
  { purse: 'sms_credits', balance: 1_000, externalId: 'demo-sms-credits' },
] as const

async function fillWallets(tx: Tx, accountId: string): Promise<void> {
  for (const { purse, balance, externalId } of startBalances) {
    const wallet = await tx
      .selectFrom('wallets')
      .select('balance')
      .where('account_id', '=', accountId)
      .where('purse', '=', purse)
      .executeTakeFirstOrThrow()
    const amount = balance - wallet.balance
    if (amount > 0) await creditWallet(tx, { accountId, purse, amount, externalId, note: 'Demo money', actor })
  }
}

/** A call in the log of the demo's key, so that the example of `GET /requests/{request_id}` finds one. */
async function seedCall(tx: Tx, keyId: string): Promise<void> {
  const call = { id: newId(), key_id: keyId, called_at: sql<Date>`clock_timestamp()`, method: 'GET', path: '/wallet/balance' }
  await tx
    .insertInto('request_log')
    .values({ ...call, status: 200, milliseconds: 4, request_id: exampleRequestId })
    .execute()
  await tx.updateTable('api_keys').set({ last_used_at: call.called_at }).where('id', '=', keyId).execute()
}

type DemoAccountOptions = { readonly keyPrefix: string; readonly secretsKeys: SecretsKeys; readonly hasDemoMonth: boolean }

async function seedAccount(tx: Tx, { keyPrefix: prefix, secretsKeys, hasDemoMonth }: DemoAccountOptions): Promise<DemoKeys> {
  const { accountId } = await createAccount(tx, {
    email: demoEmail,
    name: demoName,
    role: 'agent',
    roleExpiresAt: null,
    isBusiness: true,
    isPolicyAccepted: true,
    actor,
  })
  if (hasDemoMonth) {
    const { writeDemoMonth } = await import('./year/write-demo-month.ts')
    await writeDemoMonth(tx, secretsKeys, { accountId, keyPrefix: prefix })
  }
  await fillWallets(tx, accountId)
  const make = (type: KeyType) => createKey(tx, { accountId, type, isPending: false, prefix, actor })
  const [standard, sms, commission] = [await make('standard'), await make('sms'), await make('commission')]
  await seedCall(tx, standard.keyId)
  return { standard: standard.key, sms: sms.key, commission: commission.key }
}

async function seedCatalogue(tx: Tx, secretsKeys: SecretsKeys): Promise<void> {
  await seedSimulatedSuppliers(tx)
  await writeCommissionPlan(tx, { rates: demoCommissionRates, shares: demoCommissionShares })
  const { problems } = await writePackages(tx, demoPackages, { isBelowCostAllowed: false })
  if (problems[0]) throw new Error(`the demo catalogue does not fit: ${problems[0].message}`)
  await seedVouchers(tx, secretsKeys)
  await seedCosts(tx)
  await tx
    .insertInto('settings')
    .values({ name: transferInstructions.name, value: JSON.stringify(demoTransferInstructions), updated_by: actor })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute()
  await addPoolSender(tx, { sender: demoPoolSender, isDefault: true, actor })
}

export type DemoSettings = Pick<Config, 'hasDemoMonth' | 'dataDir' | 'keyPrefix' | 'secretsKey' | 'databaseUrl'>

/**
 * Fills an empty database with the demo, in one transaction, and then adds the work for the operator that a demo month leaves.
 * If several processes start at the same time, one fills the database and the others wait.
 * @returns the keys of the demo's account; undefined when another process was faster
 */
export async function fillDemo(db: Db, config: DemoSettings, signIns: DemoSignIns): Promise<DemoKeys | undefined> {
  const secretsKeys = await loadSecretsKeys(config)
  const filled = await inTransaction(db, async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended('makola demo', 0))`.execute(tx)
    // Accounts are never deleted, so any account shows that the database has been used.
    if (await hasAccounts(tx)) return undefined
    await seedCatalogue(tx, secretsKeys)
    const keys = await seedAccount(tx, { ...config, secretsKeys })
    await seedDemoPersons(tx, signIns, actor)
    // The files are written before the commit. If the commit fails, the next start overwrites them; keys that were committed
    // without a file would be lost.
    await writeDemoKeys(config.dataDir, keys)
    await writeDemoSignIns(config.dataDir, signIns)
    return keys
  })
  if (filled && config.hasDemoMonth) {
    const { finishDemoMonth } = await import('./year/write-demo-month.ts')
    await finishDemoMonth(db)
  }
  return filled
}
