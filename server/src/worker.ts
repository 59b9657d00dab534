import type { Logger } from 'pino'
import { endKeysTimer } from './accounts/revoke-key.ts'
import { floorTimer } from './accounts/top-ups/request-floor-top-ups.ts'
import { allApprovalKinds } from './all-approval-kinds.ts'
import { auditChecksOf } from './all-audit-checks.ts'
import type { Config } from './config.ts'
import { openPeople } from './dashboard-routes.ts'
import { measureDatabase } from './database-metrics.ts'
import { gatewayTimers } from './gateways/gateway-timers.ts'
import { openConfiguredGateways } from './open-configured-gateways.ts'
import { measureLoop } from './orders/dispatch/measure-loop.ts'
import { type OrderLoopDeps, runOrderLoop } from './orders/dispatch/run-order-loop.ts'
import { measureInAll, traceDispatches } from './orders/dispatch/trace-dispatches.ts'
import { missingTimer } from './orders/history/ask-about-missing.ts'
import { rememberSends } from './orders/history/remember-sends.ts'
import { areReportsWaiting, watchOrderReports } from './orders/order-reports/watch-order-reports.ts'
import { mayOrdersBeStuck, raiseStuckAlarms } from './orders/schedule/raise-stuck-alarms.ts'
import { failOverdueMistakes, isMistakeOpen } from './orders/settlement/fail-overdue-mistakes.ts'
import { peopleTimers } from './people/people-timers.ts'
import { looseningTimer } from './people/staff/process-loosenings.ts'
import { personalTimers } from './personal/personal-timers.ts'
import { openRecipientHash } from './personal/recipient-hash.ts'
import type { Db } from './platform/database/database.ts'
import { watchEpoch } from './platform/database/epoch.ts'
import type { HistoryWatch, SalesStop } from './platform/history/history-watch.ts'
import { openBackgroundShare } from './platform/housekeeping/background-share.ts'
import { runTimers, type Timer } from './platform/housekeeping/run-timers.ts'
import type { Metrics } from './platform/metrics/open-metrics.ts'
import type { Hints } from './platform/polling/listen-for-hints.ts'
import { sharePolls } from './platform/polling/share-polls.ts'
import { loadSecretsKeys } from './platform/secrets/load-secrets-keys.ts'
import type { SecretsKeys } from './platform/secrets/secrets-keys.ts'
import { openSettings, type Settings } from './platform/settings/settings.ts'
import { shutdownSeconds } from './platform/shutdown-seconds.ts'
import type { Tracing } from './platform/tracing/tracing.ts'
import type { Product } from './products/product.ts'
import { products as allProducts } from './products/products.ts'
import type { SupplierRegistry } from './suppliers/ports.ts'
import { loadSuppliers } from './suppliers/registry/load-suppliers.ts'
import type { Routes } from './suppliers/route-ports.ts'
import { loadRoutes } from './suppliers/routes/load-routes.ts'
import { isPausedRouteDue, probePausedRoutes } from './suppliers/routes/probe-paused-routes.ts'
import { type RouteHealthDeps, reportPlatformRejection } from './suppliers/routes/report-platform-rejection.ts'
import { watchSilence } from './suppliers/routes/watch-silence.ts'
import { servesRealShops } from './test-side/open-test-side.ts'
import { alertTimer, openAlertChannels } from './timers/alert-timer.ts'
import { auditTimers } from './timers/audit-timers.ts'
import { chainTimers } from './timers/chain-timers.ts'
import { floatTimers } from './timers/float-timers.ts'
import { messageTimers, transportsOf } from './timers/message-timers.ts'
import { partitionTimers } from './timers/partition-timers.ts'
import { proposalTimers } from './timers/proposal-timers.ts'
import { composeReportOf, type ReportWork, reportTimers } from './timers/report-timers.ts'
import { settingTimers } from './timers/setting-timers.ts'
import { archiveTimers, backupTimer } from './timers/storage-timers.ts'
import { openTestSideTimers } from './timers/test-side-timers.ts'
import { openWebhooks } from './timers/webhook-timers.ts'

/** Nobody waits until a worker has seen a change, so it reads the epoch less often than the API. */
const epochMilliseconds = 500

function timersOf(db: Db, log: Logger, registry: SupplierRegistry, routes: Routes): Timer[] {
  return [
    ...settingTimers(db, log),
    ...partitionTimers(db, log),
    ...proposalTimers(db),
    backupTimer(db, log),
    endKeysTimer(db),
    missingTimer({ db, registry, routes, log }),
    {
      name: 'stuck orders',
      everySeconds: 15,
      isExclusive: true,
      isDue: mayOrdersBeStuck,
      run: () => raiseStuckAlarms(db, log),
    },
    {
      name: 'order reports',
      everySeconds: 15,
      isExclusive: true,
      isDue: areReportsWaiting,
      run: () => watchOrderReports(db, log),
    },
    {
      // The workers share these checks among themselves.
      name: 'paused routes',
      everySeconds: 1,
      isExclusive: false,
      isDue: isPausedRouteDue,
      run: async () => void (await probePausedRoutes({ db, registry, log })),
    },
  ]
}

/**
 * Fails orders that waited too long for a mistake of ours to be corrected. Only one worker does so, because it locks many
 * wallets.
 */
function mistakeTimer(db: Db, settings: Settings, products: readonly Product[], log: Logger): Timer {
  return {
    name: 'our mistakes',
    everySeconds: 15,
    isExclusive: true,
    isDue: isMistakeOpen,
    run: async () => {
      await failOverdueMistakes({ db, settings, products, log })
    },
  }
}

type BookWork = ReportWork & {
  readonly settings: Settings
  readonly log: Logger
  readonly secretsKeys: SecretsKeys
  readonly archiveDir: string
}

function bookTimers({ log, secretsKeys, archiveDir, ...work }: BookWork, products: readonly Product[]): Timer[] {
  const checks = auditChecksOf(products)
  return [
    ...reportTimers(work, products),
    ...auditTimers({ ...work, log, secretsKeys, checks }),
    ...archiveTimers({ db: work.auditDb, share: work.share, archiveDir, checks, log }),
  ]
}

function topUpTimers(
  config: Config,
  { db, settings, secretsKeys, log }: Pick<BookWork, 'db' | 'settings' | 'secretsKeys' | 'log'>,
  history: HistoryWatch | undefined,
): Timer[] {
  const gateways = openConfiguredGateways(config, { db, secretsKeys, log })
  return [...gatewayTimers({ db, gateways, log }), unlessHeld(floorTimer({ db, settings, gateways, log }), history)]
}

export type Worker = { stop(): Promise<void> }

export type WorkerOptions = {
  readonly metrics?: Metrics | undefined
  /** Traces each dispatch. Left out: none is traced. */
  readonly tracing?: Tracing | undefined
  /** The connection of the audit, whose statements may take minutes. */
  readonly auditDb?: Db
  readonly products?: readonly Product[]
  /** Absent: the loops poll more often. */
  readonly hints?: Hints | undefined
  /** Stops selling and sending while history has gone back. Tests may leave it out: then nothing is ever stopped. */
  readonly history?: HistoryWatch | undefined
}

/** Reports sends and refusals to the health of routes. The loop does not wait for it. */
function reportToHealth(deps: RouteHealthDeps): Pick<OrderLoopDeps, 'onSent' | 'onPlatformRejected'> {
  const noteSent = watchSilence(deps)
  return {
    onSent: (sent) => {
      noteSent(sent).catch((error: unknown) => {
        deps.log.warn({ err: error, route: sent.route }, 'the silence of a supplier could not be noted')
      })
    },
    onPlatformRejected: (rejection) => {
      reportPlatformRejection(deps, rejection).catch((error: unknown) => {
        deps.log.warn({ err: error, route: rejection.route }, 'a refusal by a supplier could not be noted')
      })
    },
  }
}

/** Starts the worker on an open database: the loop of orders, the products' own loops, and the timers. */
export async function startWorker(
  config: Config,
  db: Db,
  log: Logger,
  { metrics, tracing, auditDb = db, products: sold = allProducts, hints, history }: WorkerOptions = {},
): Promise<Worker> {
  if (metrics) measureDatabase(metrics, db, log)
  const epoch = await watchEpoch(db, epochMilliseconds)
  const secretsKeys = await loadSecretsKeys(config)
  const registry = await loadSuppliers({ db, epoch, log, config, secretsKeys })
  const routes = await loadRoutes({ db, epoch, log })
  const settings = openSettings(db, epoch)
  const recipientHash = await openRecipientHash({ db, secretsKeys })
  const shared = { db, settings, routes, log, hints, askDue: sharePolls(db, log), history }
  const parts = { ...shared, epoch, suppliers: registry, secretsKeys, metrics, recipientHash }
  const products = sold.map((product) => product.openForWorker(parts))
  const loop = runOrderLoop({
    ...shared,
    registry,
    products: sold,
    sent: history && rememberSends(history, db),
    fulfilments: new Map(products.flatMap(({ fulfilment }) => (fulfilment ? [[fulfilment.product, fulfilment] as const] : []))),
    measure: measureInAll([...(metrics ? [measureLoop(metrics)] : []), ...(tracing ? [traceDispatches(tracing)] : [])]),
    ...reportToHealth({ db, registry, log }),
  })
  const share = openBackgroundShare(hints)
  const readChannels = openAlertChannels(config, settings)
  const webhooks = openWebhooks({ db, log, secretsKeys, metrics, isLive: servesRealShops(config), products: sold })
  const testSide = openTestSideTimers(config, db, secretsKeys)
  const messages = [...messageTimers(config, { db, log, secretsKeys }, products), ...webhooks.timers]
  const allTimers = [
    ...timersOf(db, log, registry, routes),
    ...testSide.timers,
    ...products.flatMap((product) => product.timers ?? []),
    ...[...messages, mistakeTimer(db, settings, sold, log)].map((timer) => unlessHeld(timer, history)),
    looseningTimer(db, allApprovalKinds, log),
    ...peopleTimers(openPeople(config, { db, secretsKeys }), transportsOf(config, products), log, composeReportOf(auditDb)),
    ...bookTimers({ db, auditDb, share, secretsKeys, settings, log, archiveDir: config.archiveDir }, sold),
    ...chainTimers(db, log, { dataDir: config.dataDir, readChannels, share }),
    ...topUpTimers(config, { db, settings, secretsKeys, log }, history),
    ...floatTimers({ db, longDb: auditDb, share, registry, settings, log }),
    alertTimer(db, readChannels, log),
    ...personalTimers({ db, log, share, secretsKeys, recipientHash }, products),
  ]
  const timers = runTimers(db, log, allTimers, shared.askDue)
  return {
    stop: async () => {
      const { calls, commits } = shutdownSeconds.worker.orders
      share.close()
      // All loops are asked to stop before any is waited for, so that nothing new begins while one of them finishes its work.
      await Promise.all([
        loop.stop({ callSeconds: calls, commitSeconds: commits }),
        ...[...products, webhooks].map(async (part) => part.stop?.()),
        timers.stop(),
      ])
      routes.stop()
      await Promise.all([testSide.close(), registry.stop()])
      epoch.stop()
    },
  }
}

/** Skips the runs of a timer while history has gone back and nobody has accepted that. */
function unlessHeld(timer: Timer, history: SalesStop | undefined): Timer {
  return {
    ...timer,
    run: async () => {
      if (!history?.isSalesStopped()) await timer.run()
    },
  }
}
