import type { Logger } from 'pino'
import { keyDigest } from '../accounts/make-key.ts'
import type { Config } from '../config.ts'
import type { Db } from '../platform/database/database.ts'
import { type DemoKeys, demoEmail, demoKeysFile, readDemoKeys } from './demo-files.ts'
import type { DemoSettings } from './fill-demo.ts'
import { hasAccounts } from './has-accounts.ts'

export type DemoSeeding = {
  /** True when this call made the demo, false when it was there already. */
  readonly isNew: boolean
  /** The demo account's keys; undefined when there is no demo, or their file is lost. */
  readonly keys: DemoKeys | undefined
}

/** True when this key from the file is active. The database may have been replaced since the file was written. */
async function isKeyActive(db: Db, key: string): Promise<boolean> {
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
  if (keys && (await isKeyActive(db, keys.standard))) return keys
  log.warn(
    `The keys of ${demoEmail} are not in ${demoKeysFile(config.dataDir)} any more, and nothing can show them again. ` +
      `Make a new one with \`npx makola key create --account ${demoEmail} --type standard\` (or sms, commission).`,
  )
  return undefined
}

const isDemoWanted = ({ demo, suppliers }: Pick<Config, 'demo' | 'suppliers'>) => demo && suppliers !== 'live'

type SeedConfig = DemoSettings & Pick<Config, 'demo' | 'suppliers'>

/** Fills an empty database. @returns the keys; undefined when another process was faster */
export type FillDemo = (db: Db) => Promise<DemoKeys | undefined>

/**
 * Loads the code that invents a history (later starts do not need it) and makes the passwords of both persons. This takes half
 * a second and needs no database, so the database can be made at the same time.
 * @returns undefined when no demo is wanted
 */
export async function prepareDemo(config: SeedConfig): Promise<FillDemo | undefined> {
  if (!isDemoWanted(config)) return undefined
  const [{ fillDemo }, { makeDemoSignIns }] = await Promise.all([import('./fill-demo.ts'), import('./seed-demo-persons.ts')])
  const signIns = await makeDemoSignIns()
  return (db) => fillDemo(db, config, signIns)
}

/**
 * Fills an empty database with a catalogue, vouchers, simulated suppliers, an owner among the operator's staff, and an account
 * for trying out. The account has at least GHS 1,000 and 1,000 SMS credits, a key of each type and an owner. Adds a month of
 * invented orders, unless the demo is to be empty. Does nothing once there is any account, with the demo switched off, or with
 * live suppliers.
 */
export async function seedDemo(deps: {
  db: Db
  config: SeedConfig
  log: Pick<Logger, 'info' | 'warn'>
  /** The demo's code and passwords, if they were prepared while the database was still being made. Left out: prepared now. */
  prepared?: ReturnType<typeof prepareDemo> | undefined
}): Promise<DemoSeeding> {
  const { db, config, log, prepared } = deps
  // The demo's money must never be in a database with live suppliers, whatever DEMO says.
  if (!isDemoWanted(config)) return { isNew: false, keys: undefined }
  if (await hasAccounts(db)) return { isNew: false, keys: await findKeptKeys(db, config, log) }
  const filled = await (await (prepared ?? prepareDemo(config)))?.(db)
  if (!filled) return { isNew: false, keys: await findKeptKeys(db, config, log) }
  log.info(`The demo is ready: account ${demoEmail}, its keys are kept in ${demoKeysFile(config.dataDir)}.`)
  return { isNew: true, keys: filled }
}
