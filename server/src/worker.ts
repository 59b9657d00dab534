import type { Logger } from 'pino'
import { allAuditChecks } from './all-audit-checks.ts'
import type { Config } from './config.ts'
import { runAudit } from './money/audit.ts'
import { clearAlarm } from './notices/clear-alarm.ts'
import { raiseAlarm } from './notices/raise-alarm.ts'
import type { Fulfilment } from './orders/fulfilment.ts'
import { raiseStuckAlarms } from './orders/raise-stuck-alarms.ts'
import { runOrderLoop } from './orders/run-order-loop.ts'
import type { Db } from './platform/database/database.ts'
import { watchEpoch } from './platform/database/epoch.ts'
import { runTimers, type Timer } from './platform/housekeeping/run-timers.ts'
import { loadSecretsKeys } from './platform/secrets/load-secrets-keys.ts'
import { openSettings } from './platform/settings/settings.ts'
import { openDataFulfilment } from './products/data/dispatch-data.ts'
import { loadRoutes } from './suppliers/load-routes.ts'
import { loadSuppliers } from './suppliers/load-suppliers.ts'
import type { SupplierRegistry } from './suppliers/ports.ts'
import { probePausedRoutes } from './suppliers/probe-paused-routes.ts'
import { reportPlatformRejection } from './suppliers/report-platform-rejection.ts'

/** How long calls in flight may end by themselves when the process is asked to stop; then they become `unknown`. */
const callDrainSeconds = 10
const commitDrainSeconds = 10

/** The hour of the day, in Accra, at which the whole ledger is proven instead of its recent part. */
const fullAuditHour = 2

async function auditAndRaise(db: Db, log: Logger, isFull: boolean): Promise<void> {
  const report = await runAudit(db, allAuditChecks, { isFull })
  const bad = Object.entries(report.checks).filter(([, count]) => count > 0)
  for (const [check, count] of bad) {
    const message = `The audit found ${count} bad row${count === 1 ? '' : 's'}: ${check}. Run \`makola audit\`.`
    await raiseAlarm(db, log, { name: 'audit', subject: check, message })
  }
  for (const [check, count] of Object.entries(report.checks)) {
    if (count === 0) await clearAlarm(db, 'audit', check)
  }
}

function timersOf(db: Db, log: Logger, registry: SupplierRegistry): Timer[] {
  return [
    { name: 'stuck orders', everySeconds: 15, isExclusive: true, run: () => raiseStuckAlarms(db, log) },
    { name: 'audit', everySeconds: 300, isExclusive: true, run: () => auditAndRaise(db, log, false) },
    {
      name: 'full audit',
      everySeconds: 3_600,
      isExclusive: true,
      run: async () => {
        if (new Date().getUTCHours() === fullAuditHour) await auditAndRaise(db, log, true)
      },
    },
    {
      // The workers share these out among themselves.
      name: 'paused routes',
      everySeconds: 1,
      isExclusive: false,
      run: async () => {
        await probePausedRoutes({ db, registry, log })
      },
    },
  ]
}

/** A worker that is running. */
export type Worker = { stop(): Promise<void> }

/** Starts the worker's loops on an open database: orders, routes' health, housekeeping. */
export async function startWorker(config: Config, db: Db, log: Logger): Promise<Worker> {
  const epoch = await watchEpoch(db)
  const secretsKeys = await loadSecretsKeys(config)
  const registry = await loadSuppliers({ db, epoch, log, config, secretsKeys })
  const routes = await loadRoutes({ db, epoch, log })
  const fulfilments: Fulfilment[] = [openDataFulfilment(db, epoch)]
  const loop = runOrderLoop({
    db,
    log,
    settings: openSettings(db, epoch),
    registry,
    routes,
    fulfilments: new Map(fulfilments.map((fulfilment) => [fulfilment.product, fulfilment])),
    onPlatformRejected: (rejection) => {
      reportPlatformRejection({ db, registry, log }, rejection).catch((error: unknown) => {
        log.warn({ err: error, route: rejection.route }, 'a refusal by a supplier could not be noted')
      })
    },
  })
  const timers = runTimers(db, log, timersOf(db, log, registry))
  return {
    stop: async () => {
      await loop.stop({ callSeconds: callDrainSeconds, commitSeconds: commitDrainSeconds })
      await timers.stop()
      routes.stop()
      await registry.stop()
      epoch.stop()
    },
  }
}
