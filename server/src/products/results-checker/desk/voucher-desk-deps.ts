import type { Logger } from 'pino'
import type { Db } from '../../../platform/database/database.ts'
import type { SecretsKeys } from '../../../platform/secrets/secrets-keys.ts'

export type VoucherDeskDeps = {
  readonly db: Db
  readonly secretsKeys: SecretsKeys
  readonly log: Pick<Logger, 'error' | 'info'>
}
