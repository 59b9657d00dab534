import type { Logger } from 'pino'
import type { Db } from '../platform/database/database.ts'
import type { BackgroundShare } from '../platform/housekeeping/background-share.ts'
import type { Timer } from '../platform/housekeeping/run-timers.ts'
import type { Settings } from '../platform/settings/settings.ts'
import { watchFloatDrift } from '../reconciliation/watch-float-drift.ts'
import { readDueFloats } from '../suppliers/float/read-due-floats.ts'
import type { SupplierRegistry } from '../suppliers/ports.ts'

/** `longDb` has no time-out, because comparing may take long. */
export type FloatWork = {
  readonly db: Db
  readonly longDb: Db
  readonly share: BackgroundShare
  readonly registry: SupplierRegistry
  readonly settings: Settings
  readonly log: Logger
}

/** The timers that read suppliers' floats and compare them with our books. */
export function floatTimers({ db, longDb, share, registry, settings, log }: FloatWork): Timer[] {
  return [
    {
      name: 'floats',
      everySeconds: 300,
      isExclusive: true,
      isLong: true,
      run: async () => {
        await readDueFloats({ db, registry })
      },
    },
    {
      name: 'float drift',
      everySeconds: 3_600,
      isExclusive: true,
      isBackground: true,
      run: () => share.piece(() => watchFloatDrift(longDb, settings, log)),
    },
  ]
}
