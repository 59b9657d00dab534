import type { Logger } from 'pino'
import type { Db } from './platform/database/database.ts'
import type { Timer } from './platform/housekeeping/run-timers.ts'
import type { Settings } from './platform/settings/settings.ts'
import { watchFloatDrift } from './reconciliation/watch-float-drift.ts'
import { readDueFloats } from './suppliers/float/read-due-floats.ts'
import type { SupplierRegistry } from './suppliers/ports.ts'

/** What the timers of floats work on. Comparing may take longer than other statements. */
export type FloatWork = {
  readonly db: Db
  readonly longDb: Db
  readonly registry: SupplierRegistry
  readonly settings: Settings
  readonly log: Logger
}

/** Floats are read now and then, and compared with what our books expect of them. */
export function floatTimers({ db, longDb, registry, settings, log }: FloatWork): Timer[] {
  return [
    {
      name: 'floats',
      everySeconds: 300,
      isExclusive: true,
      run: async () => {
        await readDueFloats({ db, registry })
      },
    },
    { name: 'float drift', everySeconds: 3_600, isExclusive: true, run: () => watchFloatDrift(longDb, settings, log) },
  ]
}
