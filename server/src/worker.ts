import type { Logger } from 'pino'
import { allAuditChecks } from './all-audit-checks.ts'
import type { Config } from './config.ts'
import { runAudit } from './money/audit.ts'
import { measureWallets } from './money/measure-wallets.ts'
import { alertEmail, alertWebhookUrl } from './notices/alerts.settings.ts'
import { deliverAlerts } from './notices/deliver-alerts.ts'
import { mailServerOf } from './notices/mail-server.ts'
import { matchAlarms } from './notices/match-alarms.ts'
import { measureAlarms } from './notices/measure-alarms.ts'
import { sendCourtesyNotices } from './notices/send-courtesy-notices.ts'
import { measureLoop } from './orders/dispatch/measure-loop.ts'
import { runOrderLoop } from './orders/dispatch/run-order-loop.ts'
import type { Fulfilment } from './orders/fulfilment.ts'
import { measureOpenOrders } from './orders/queries/measure-open-orders.ts'
import { raiseStuckAlarms } from './orders/schedule/raise-stuck-alarms.ts'
import { failOverdueMistakes } from './orders/settlement/fail-overdue-mistakes.ts'
import type { Db } from './platform/database/database.ts'
import { watchEpoch } from './platform/database/epoch.ts'
import { runTimers, type Timer } from './platform/housekeeping/run-timers.ts'
import { cachedCollector } from './platform/metrics/cached-collector.ts'
import type { Metrics } from './platform/metrics/open-metrics.ts'
import { loadSecretsKeys } from './platform/secrets/load-secrets-keys.ts'
import type { SecretsKeys } from './platform/secrets/secrets-keys.ts'
import { openSettings, type Settings } from './platform/settings/settings.ts'
import { purgeIdentities } from './products/afa/purge-identities.ts'
import { airtimeFulfilment } from './products/airtime/dispatch-airtime.ts'
import { openDataFulfilment } from './products/data/dispatch-data.ts'
import { purgeRegistrations } from './products/data/registration/purge-registrations.ts'
import { clearForgottenAwayAlarms } from './products/data/registration/raise-away-alarm.ts'
import { openRegistrationServers } from './products/data/registration/registration-servers.ts'
import { runRegistrationLoop } from './products/data/registration/run-registration-loop.ts'
import { watchRegistrationServers } from './products/data/registration/watch-registration-servers.ts'
import { openVoucherNotices } from './products/results-checker/compose-voucher-notice.ts'
import { raiseLowStockAlarms } from './products/results-checker/raise-low-stock-alarms.ts'
import { raiseUnreadableVoucherAlarms } from './products/results-checker/raise-unreadable-voucher-alarms.ts'
import { concludeOverdue } from './products/sms/link/conclude-overdue.ts'
import { runSmsLoop, type SmsLoop } from './products/sms/link/run-sms-loop.ts'
import { billFulfilment } from './products/utilities/dispatch-bill.ts'
import { purgeLookedUpAccounts } from './products/utilities/purge-looked-up-accounts.ts'
import type { SupplierRegistry } from './suppliers/ports.ts'
import { loadSuppliers } from './suppliers/registry/load-suppliers.ts'
import { measureSuppliers } from './suppliers/registry/measure-suppliers.ts'
import { loadRoutes } from './suppliers/routes/load-routes.ts'
import { probePausedRoutes } from './suppliers/routes/probe-paused-routes.ts'
import { reportPlatformRejection } from './suppliers/routes/report-platform-rejection.ts'
import { watchSilence } from './suppliers/routes/watch-silence.ts'

/** How long calls in flight may end by themselves when the process is asked to stop; then they become `unknown`. */
const callDrainSeconds = 10
const commitDrainSeconds = 10

/** The hour of the day, in Accra, at which the whole ledger is proven instead of its recent part. */
const fullAuditHour = 2

async function auditAndRaise(db: Db, auditDb: Db, log: Logger, isFull: boolean): Promise<void> {
  const report = await runAudit(auditDb, allAuditChecks, { isFull })
  const causes = Object.entries(report.checks)
    .filter(([, count]) => count > 0)
    .map(([check, count]) => ({
      subject: check,
      message: `The audit found ${count} bad row${count === 1 ? '' : 's'}: ${check}. Run \`makola audit\`.`,
    }))
  await matchAlarms(db, log, 'audit', causes, Object.keys(report.checks))
}

function timersOf(db: Db, auditDb: Db, log: Logger, registry: SupplierRegistry): Timer[] {
  return [
    { name: 'stuck orders', everySeconds: 15, isExclusive: true, run: () => raiseStuckAlarms(db, log) },
    { name: 'audit', everySeconds: 300, isExclusive: true, run: () => auditAndRaise(db, auditDb, log, false) },
    {
      name: 'full audit',
      everySeconds: 3_600,
      isExclusive: true,
      run: async () => {
        if (new Date().getUTCHours() === fullAuditHour) await auditAndRaise(db, auditDb, log, true)
      },
    },
    { name: 'forgotten alarms', everySeconds: 60, isExclusive: true, run: () => clearForgottenAwayAlarms(db) },
    { name: 'old registrations', everySeconds: 600, isExclusive: true, run: () => purgeRegistrations(db) },
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

/** A person hears of an alarm within seconds. One worker at a time tells, so that nothing is told twice. */
function alertTimer(config: Config, db: Db, settings: Settings, log: Logger): Timer {
  return {
    name: 'alerts',
    everySeconds: 5,
    isExclusive: true,
    run: async () => {
      const [email, webhookUrl] = await Promise.all([settings.read(alertEmail), settings.read(alertWebhookUrl)])
      await deliverAlerts(db, log, { email, webhookUrl, smtpUrl: config.smtpUrl, publicUrl: config.publicUrl })
    },
  }
}

/** Orders that wait for a mistake of ours have a deadline. One worker at a time looks, for it locks many wallets. */
function mistakeTimer(db: Db, settings: Settings, log: Logger): Timer {
  return {
    name: 'our mistakes',
    everySeconds: 15,
    isExclusive: true,
    run: async () => {
      await failOverdueMistakes({ db, settings, log })
    },
  }
}

/** What products want done beside their orders. */
function productTimers(
  config: Config,
  db: Db,
  log: Logger,
  secretsKeys: SecretsKeys,
  settings: Settings,
  smsLoop: SmsLoop,
): Timer[] {
  const compose = openVoucherNotices(db, secretsKeys)
  const courtesy = { db, log, compose, mailServer: mailServerOf(config) }
  return [
    // The workers share these out among themselves.
    {
      name: 'courtesy messages',
      everySeconds: 2,
      isExclusive: false,
      run: () => sendCourtesyNotices({ ...courtesy, sms: smsLoop.courtesySms() }),
    },
    { name: 'overdue SMS', everySeconds: 15, isExclusive: true, run: () => concludeOverdue({ db, settings, log }) },
    {
      name: 'voucher stock',
      everySeconds: 60,
      isExclusive: true,
      run: async () => {
        await raiseLowStockAlarms(db, log)
        await raiseUnreadableVoucherAlarms(db, secretsKeys, log)
      },
    },
    { name: 'identity data', everySeconds: 3_600, isExclusive: true, run: () => purgeIdentities(db, log) },
    { name: 'looked-up names', everySeconds: 3_600, isExclusive: true, run: () => purgeLookedUpAccounts(db) },
  ]
}

/** What every worker reads from the database when it is asked; all of them tell the same. */
function measureDatabase(metrics: Metrics, db: Db, log: Logger): void {
  const readable = metrics.gauge(
    'makola_database_readable',
    'Whether the last look for the measures could read the database.',
    [],
  )
  const looks = [
    measureOpenOrders(metrics, db),
    measureWallets(metrics, db),
    measureSuppliers(metrics, db),
    measureAlarms(metrics, db),
  ]
  const look = async () => {
    await Promise.all(looks.map((each) => each()))
    readable.set(1)
  }
  const onFailure = (error: unknown) => {
    readable.set(0)
    log.warn({ err: error }, 'the measures could not be read from the database')
  }
  metrics.beforeReading(cachedCollector(look, onFailure))
}

/** A worker that is running. */
export type Worker = { stop(): Promise<void> }

export type WorkerOptions = {
  readonly metrics?: Metrics | undefined
  /** The connection that the audit runs on; its statements may take minutes. */
  readonly auditDb?: Db
}

/** Starts the worker's loops on an open database: orders, routes' health, housekeeping. */
export async function startWorker(
  config: Config,
  db: Db,
  log: Logger,
  { metrics, auditDb = db }: WorkerOptions = {},
): Promise<Worker> {
  if (metrics) measureDatabase(metrics, db, log)
  const epoch = await watchEpoch(db)
  const secretsKeys = await loadSecretsKeys(config)
  const registry = await loadSuppliers({ db, epoch, log, config, secretsKeys })
  const routes = await loadRoutes({ db, epoch, log })
  const settings = openSettings(db, epoch)
  const fulfilments: Fulfilment[] = [openDataFulfilment(db, epoch), airtimeFulfilment, billFulfilment]
  const noteSent = watchSilence({ db, registry, log })
  const loop = runOrderLoop({
    db,
    log,
    settings,
    registry,
    routes,
    fulfilments: new Map(fulfilments.map((fulfilment) => [fulfilment.product, fulfilment])),
    measure: metrics && measureLoop(metrics),
    onSent: (sent) => {
      noteSent(sent).catch((error: unknown) => {
        log.warn({ err: error, route: sent.route }, 'the silence of a supplier could not be noted')
      })
    },
    onPlatformRejected: (rejection) => {
      reportPlatformRejection({ db, registry, log }, rejection).catch((error: unknown) => {
        log.warn({ err: error, route: rejection.route }, 'a refusal by a supplier could not be noted')
      })
    },
  })
  const servers = openRegistrationServers({ db, epoch, settings, registry })
  const watch = watchRegistrationServers({ db, log, servers, metrics })
  const registrationLoop = runRegistrationLoop({ db, log, settings, servers, watch })
  const smsLoop = runSmsLoop({ db, log, settings, registry, routes })
  const timers = runTimers(db, log, [
    ...timersOf(db, auditDb, log, registry),
    ...productTimers(config, db, log, secretsKeys, settings, smsLoop),
    mistakeTimer(db, settings, log),
    alertTimer(config, db, settings, log),
  ])
  return {
    stop: async () => {
      await registrationLoop.stop()
      await watch.stop()
      const smsStopped = smsLoop.stop()
      await loop.stop({ callSeconds: callDrainSeconds, commitSeconds: commitDrainSeconds })
      await smsStopped
      await timers.stop()
      routes.stop()
      await registry.stop()
      epoch.stop()
    },
  }
}
