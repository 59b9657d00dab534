import { type Logger, pino } from 'pino'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { type Config, readConfig } from '../../server/src/config.ts'
import { openPeople } from '../../server/src/dashboard-routes.ts'
import { demoEmail } from '../../server/src/demo/demo-files.ts'
import { openDemo } from '../../server/src/demo/open-demo.fixture.ts'
import type { PeopleDeps } from '../../server/src/people/people-deps.ts'
import type { MemberRole } from '../../server/src/people/permissions/member-permissions.ts'
import type { Db } from '../../server/src/platform/database/database.ts'
import { findFreePort } from '../../server/src/platform/find-free-port.ts'
import { loadSecretsKeys } from '../../server/src/platform/secrets/load-secrets-keys.ts'
import { startWorker, type Worker } from '../../server/src/worker.ts'
import { mustPassAudit } from '../../server/test/must-pass-audit.ts'
import { patientCallSeconds } from '../../server/test/patience.ts'
import { type KeptMail, keptMailsTo, keptTokenFor } from '../../server/test/servers/kept-mails.ts'
import '../../server/test/running/remember-hashes.ts'
import { type RunningSimulator, startSimulator } from '../../server/test/start-simulator.ts'
import { startTestApp, type TestApp } from '../../server/test/start-test-app.ts'
import { emailOfStaff, isStaffVisitor, makeStaff, type StaffVisitor } from './make-staff.ts'
import { emailOf, makeTeam, type NewTeam } from './make-team.ts'
import { mustBeBuilt } from './must-be-built.ts'
import { openTestPages, type PageOptions, type TestPages } from './open-test-pages.ts'

type Visitor = MemberRole | StaffVisitor | `${string}@${string}`

/** The running platform that the tests of one file share. */
export type BrowserShop = {
  readonly app: TestApp
  readonly db: Db
  readonly people: PeopleDeps
  readonly config: Config
  /** The account of `owner`, `buyer` and `viewer`. */
  readonly accountId: string
  /** Throws unless the shop was opened with `isSimulated`. */
  readonly simulator: RunningSimulator
  /**
   * Opens a page in a browser of its own, which is closed after the test. `as` is the person who is signed in: a member of the
   * team, a person of the staff (the page then begins at the desk, 1280 pixels wide), or the e-mail of a person whom the test
   * made with `passwordOfAll`. Left out: nobody is signed in.
   */
  readonly openPage: (options?: PageOptions & { readonly as?: Visitor }) => Promise<Page>
  /** Does the worker's work for mails and gives back those to an address, newest first. */
  readonly mailsTo: (email: string) => Promise<KeptMail[]>
  /** The token of the link in the newest mail to an address. */
  readonly tokenFor: (email: string) => Promise<string>
  /** Starts the worker, which buys, sends and settles until `stopWorker` or the end of the file. */
  readonly startWorker: () => Promise<void>
  readonly stopWorker: () => Promise<void>
  /** For faults that a test causes on purpose: a fault with these words does not fail it. */
  readonly expectFaults: (words: RegExp) => void
}

export type BrowserShopOptions = {
  readonly team?: NewTeam
  /** True: the demo with its month of orders. The team then belongs to the demo's account. */
  readonly isDemo?: boolean
  /** True: the operator's staff exist, one person of each role and a second owner, without a second factor. */
  readonly hasStaff?: boolean
  /** True: the simulator runs, so that a worker can buy and send. Its start takes a second. */
  readonly isSimulated?: boolean
  /** Factor for the simulator's waiting times. Left out: 0.1, a tenth of its usual times. */
  readonly timeScale?: number
  /** Further variables of the environment, read before the shop opens. */
  readonly environment?: () => Promise<Readonly<Record<string, string>>>
  /** Writes what the shop has besides suppliers, packages and team. */
  readonly prepare?: (shop: BrowserShop) => Promise<unknown>
}

type OpenShop = Pick<BrowserShop, 'app' | 'people' | 'config' | 'accountId'> & {
  readonly simulator: RunningSimulator | undefined
}

const log = pino({ level: 'silent' })

async function openShop(options: BrowserShopOptions, appLog: Logger): Promise<OpenShop> {
  const { team = {}, isDemo = false, isSimulated = false, hasStaff = false, timeScale = 0.1 } = options
  const environment = await options.environment?.()
  const port = await findFreePort('127.0.0.1')
  const callbackBaseUrl = `https://localhost:${port}`
  const simulator = isSimulated ? await startSimulator({ timeScale, callbackBaseUrl }) : undefined
  const app = await startTestApp({
    port,
    isStaffTwoFactorNeeded: !hasStaff,
    log: appLog,
    environment,
    ...(simulator && { simulatorUrl: simulator.url, simulatorCallSeconds: patientCallSeconds, dataDir: simulator.dataDir }),
    ...(isDemo && { fill: (db, dataDir) => openDemo(db, dataDir, { hasDemoMonth: true }) }),
  })
  const { db } = app.database
  const config = readConfig({
    DATA_DIR: app.dataDir,
    PORT: String(port),
    STAFF_TWO_FACTOR: hasStaff ? 'off' : 'on',
    ...(simulator && { SIMULATOR_URL: simulator.url, SIMULATOR_CALL_SECONDS: String(patientCallSeconds) }),
  })
  const people = openPeople(config, { db, secretsKeys: await loadSecretsKeys(config) })
  if (hasStaff) await makeStaff(db)
  return { app, people, config, accountId: await makeTeam(db, isDemo ? { ...team, account: demoEmail } : team), simulator }
}

function viewShop(
  opened: () => OpenShop,
  pages: TestPages,
  worker: Pick<BrowserShop, 'startWorker' | 'stopWorker'>,
): BrowserShop {
  return {
    get app() {
      return opened().app
    },
    get db() {
      return opened().app.database.db
    },
    get people() {
      return opened().people
    },
    get config() {
      return opened().config
    },
    get accountId() {
      return opened().accountId
    },
    get simulator() {
      const { simulator } = opened()
      if (!simulator) throw new Error('the simulator runs only with `isSimulated: true`')
      return simulator
    },
    openPage: ({ as, ...options } = {}) => {
      if (as === undefined || as.includes('@')) return pages.open(as, options)
      if (isStaffVisitor(as)) return pages.open(emailOfStaff(as), { path: '/desk', width: 1280, ...options })
      return pages.open(emailOf(as as MemberRole), options)
    },
    mailsTo: (email) => keptMailsTo(opened().app, opened().people, email),
    tokenFor: (email) => keptTokenFor(opened().app, opened().people, email),
    expectFaults: (words) => pages.expectFaults(words),
    ...worker,
  }
}

/**
 * Registers what a file of browser tests needs: the platform over HTTPS on a database of its own with a team of three,
 * and one Chromium. A test fails for whatever went wrong in its pages, and in the end the books must pass the audit.
 */
export function setUpShopInBrowser(options: BrowserShopOptions = {}): BrowserShop {
  let opened: OpenShop | undefined
  let worker: Worker | undefined
  const mustBeOpen = (): OpenShop => {
    if (!opened) throw new Error('the shop opens before the first test, not while the file is read')
    return opened
  }
  const pages = openTestPages(() => mustBeOpen().app.url)
  const errors: string[] = []
  const appLog = pino({ level: 'error' }, { write: (line) => errors.push(line) })
  const stopWorker = async () => {
    await worker?.stop()
    worker = undefined
  }
  const shop = viewShop(mustBeOpen, pages, {
    startWorker: async () => {
      worker ??= await startWorker(shop.config, shop.db, log)
    },
    stopWorker,
  })

  beforeAll(async () => {
    mustBeBuilt()
    opened = await openShop(options, appLog)
    await options.prepare?.(shop)
    await opened.app.untilSeen()
  })
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') await pages.photograph(task.name)
    const faults = await pages.close()
    const causes = errors.splice(0)
    // An answer of 500 does not say its cause. The log of the app does.
    expect({ wentWrong: faults.length === 0 ? [] : [...faults, ...causes] }).toEqual({ wentWrong: [] })
  })
  afterAll(async () => {
    await stopWorker()
    try {
      if (opened) await mustPassAudit(opened.app.database.db)
    } finally {
      await opened?.app.close()
      await opened?.simulator?.stop()
    }
  })
  return shop
}
