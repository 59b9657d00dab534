import type { Db } from '../platform/database/database.ts'
import { loadSecretsKeys } from '../platform/secrets/load-secrets-keys.ts'
import type { SecretsKeys } from '../platform/secrets/secrets-keys.ts'
import { type DemoSeeding, seedDemo } from './seed-demo.ts'

type DemoConfig = Parameters<typeof seedDemo>[0]['config']

/** The configuration of a demo without invented orders, as far as `seedDemo` reads it. */
export const emptyDemoConfig = {
  demo: true,
  hasDemoMonth: false,
  keyPrefix: 'makola',
  suppliers: 'simulator',
  databaseUrl: undefined,
  secretsKey: undefined,
} as const satisfies Omit<DemoConfig, 'dataDir'>

/** Seeds a demo for a test, empty unless `changes` say otherwise. Logs nothing. */
export async function openDemo(
  db: Db,
  dataDir: string,
  changes: Partial<DemoConfig> = {},
): Promise<{ readonly seeding: DemoSeeding; readonly secretsKeys: SecretsKeys }> {
  const config = { ...emptyDemoConfig, dataDir, ...changes }
  const seeding = await seedDemo({ db, config, log: { info: () => undefined, warn: () => undefined } })
  return { seeding, secretsKeys: await loadSecretsKeys(config) }
}
