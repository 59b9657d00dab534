import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { KeyType } from '../accounts/caller.ts'
import { createAccount } from '../accounts/create-account.ts'
import { createKey } from '../accounts/create-key.ts'
import { keyDigest } from '../accounts/make-key.ts'
import type { Config } from '../config.ts'
import { creditWallet } from '../money/credit-wallet.ts'
import { transferInstructions } from '../money/top-ups/top-ups.settings.ts'
import { writeCommissionPlan } from '../money/write-commission-plan.ts'
import type { Db, Tx } from '../platform/database/database.ts'
import { inTransaction } from '../platform/database/in-transaction.ts'
import { loadSecretsKeys } from '../platform/secrets/load-secrets-keys.ts'
import type { SecretsKeys } from '../platform/secrets/secrets-keys.ts'
import { writePackages } from '../products/data/write-packages.ts'
import { addPoolSender } from '../products/sms/campaigns/decide-sender.ts'
import { seedSimulatedSuppliers } from '../suppliers/registry/seed-simulated-suppliers.ts'
import { demoPackages } from './demo-catalogue.ts'
import { demoCommissionRates, demoCommissionShares } from './demo-commission.ts'
import { type DemoKeys, demoKeysFile, readDemoKeys, writeDemoKeys } from './demo-keys.ts'
import { demoEmail, demoName, makeDemoSignIns, seedDemoPersons, writeDemoSignIns } from './demo-sign-ins.ts'
import { seedVouchers } from './seed-vouchers.ts'

/** The sender of the demo's SMS. */
const demoPoolSender = 'Makola'

const actor = 'demo'

/** How the demo's resellers pay by a transfer; nobody has this number. */
const demoTransferInstructions = 'MTN MoMo to 024 000 0000 (Makola Demo).\nWrite your e-mail as the reference.'
/** What the demo's user finds in the wallets, whatever was bought and paid in before. */
const startBalances = [
  { purse: 'main', balance: 100_000, externalId: 'demo-wallet' },
  { purse: 'sms_credits', balance: 1_000, externalId: 'demo-sms-credits' },
] as const

export type DemoSeeding = {
  /** Whether this call made the demo. */
  readonly isNew: boolean
  /** The demo account's keys; undefined when there is no demo, or their file is lost. */
  readonly keys: DemoKeys | undefined
}

async function hasAccounts(db: Db | Tx): Promise<boolean> {
  return (await db.selectFrom('accounts').select('id').limit(1).executeTakeFirst()) !== undefined
}

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

type AccountWish = { readonly keyPrefix: string; readonly secretsKeys: SecretsKeys; readonly hasDemoMonth: boolean }

async function seedAccount(tx: Tx, { keyPrefix: prefix, secretsKeys, hasDemoMonth }: AccountWish): Promise<DemoKeys> {
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
    // Loaded here, because every later start does without it.
    const { writeDemoMonth } = await import('./year/write-demo-month.ts')
    await writeDemoMonth(tx, secretsKeys, { accountId, keyPrefix: prefix })
  }
  await fillWallets(tx, accountId)
  const make = async (type: KeyType) => (await createKey(tx, { accountId, type, isPending: false, prefix, actor })).key
  return { standard: await make('standard'), sms: await make('sms'), commission: await make('commission') }
}

async function seedCatalogue(tx: Tx, secretsKeys: SecretsKeys): Promise<void> {
  await seedSimulatedSuppliers(tx)
  await writeCommissionPlan(tx, { rates: demoCommissionRates, shares: demoCommissionShares })
  const { problems } = await writePackages(tx, demoPackages, { isBelowCostAllowed: false })
  if (problems[0]) throw new Error(`the demo catalogue does not fit: ${problems[0].message}`)
  await seedVouchers(tx, secretsKeys)
  await tx
    .insertInto('settings')
    .values({ name: transferInstructions.name, value: JSON.stringify(demoTransferInstructions), updated_by: actor })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute()
  await addPoolSender(tx, { sender: demoPoolSender, isDefault: true, actor })
}

/** Whether the keys in the file still work: the database may have been replaced. */
async function isLive(db: Db, key: string): Promise<boolean> {
  const row = await db
    .selectFrom('api_keys')
    .select('status')
    .where('digest', '=', Buffer.from(keyDigest(key), 'hex'))
    .executeTakeFirst()
  return row?.status === 'active'
}

async function findKeptKeys(db: Db, config: Pick<Config, 'dataDir'>, log: Pick<Logger, 'warn'>): Promise<DemoKeys | undefined> {
  const account = await db.selectFrom('accounts').select('id').where('email', '=', demoEmail).executeTakeFirst()
  if (!account) return undefined
  const keys = await readDemoKeys(config.dataDir)
  if (keys && (await isLive(db, keys.standard))) return keys
  log.warn(
    `The keys of ${demoEmail} are not in ${demoKeysFile(config.dataDir)} any more, and nothing can show them again. ` +
      `Make a new one with \`npx makola key create --account ${demoEmail} --type standard\` (or sms, commission).`,
  )
  return undefined
}

/**
 * Fills an empty database with a catalogue, vouchers, simulated suppliers and an account to try everything with:
 * GHS 1,000, 1,000 SMS credits and a key of each type, with a person for it and one for the operator; unless the demo is
 * to be empty, also with a month of invented orders. Does nothing once there is any account, with the demo switched off,
 * or with live suppliers. Processes that start together wait for each other; one of them seeds.
 */
export async function seedDemo(deps: {
  db: Db
  config: Pick<Config, 'demo' | 'hasDemoMonth' | 'dataDir' | 'keyPrefix' | 'suppliers' | 'secretsKey' | 'databaseUrl'>
  log: Pick<Logger, 'info' | 'warn'>
}): Promise<DemoSeeding> {
  const { db, config, log } = deps
  // The demo's money must never be in a database with live suppliers, whatever DEMO says.
  if (!config.demo || config.suppliers === 'live') return { isNew: false, keys: undefined }
  const secretsKeys = await loadSecretsKeys(config)
  const signIns = (await hasAccounts(db)) ? undefined : await makeDemoSignIns()
  const seeded = await inTransaction(db, async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended('makola demo', 0))`.execute(tx)
    // Accounts are never deleted: where there were some before, there are some now.
    if (!signIns || (await hasAccounts(tx))) return undefined
    await seedCatalogue(tx, secretsKeys)
    const keys = await seedAccount(tx, { ...config, secretsKeys })
    await seedDemoPersons(tx, signIns, actor)
    // The files are written before the commit. If the commit fails, the next start overwrites them; keys that were committed without a file would be lost.
    await writeDemoKeys(config.dataDir, keys)
    await writeDemoSignIns(config.dataDir, signIns)
    return keys
  })
  if (!seeded) return { isNew: false, keys: await findKeptKeys(db, config, log) }
  if (config.hasDemoMonth) {
    const { finishDemoMonth } = await import('./year/write-demo-month.ts')
    await finishDemoMonth(db)
  }
  log.info(`The demo is ready: account ${demoEmail}, its keys are kept in ${demoKeysFile(config.dataDir)}.`)
  return { isNew: true, keys: seeded }
}
