import type { Logger } from 'pino'
import type { Db } from '../../../platform/database/database.ts'
import type { SalesStop } from '../../../platform/history/history-watch.ts'
import type { Settings } from '../../../platform/settings/settings.ts'
import type { SupplierRegistry } from '../../../suppliers/ports.ts'
import type { Routes } from '../../../suppliers/route-ports.ts'

export type SmsLinkDeps = {
  readonly db: Db
  readonly log: Logger
  readonly settings: Settings
  readonly registry: SupplierRegistry
  readonly routes: Routes
  /** While `isSalesStopped()` is true, nothing is claimed or sent. */
  readonly history?: SalesStop | undefined
}
