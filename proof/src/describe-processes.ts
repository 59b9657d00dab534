import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findFreePort } from '../../server/src/platform/find-free-port.ts'
import { type ManagedProcess, manageProcess } from './managed-process.ts'
import { programOf } from './run-command.ts'

/** One process of the API, with the address that clients use. */
export type ApiProcess = ManagedProcess & { readonly url: string }

/** The simulator, with the address where proofs read its effects. */
export type SimulatorProcess = ManagedProcess & { readonly url: string }

export type ProcessOptions = {
  /** Database address for this process. Absent: the process finds the database by itself. */
  readonly databaseUrl?: string
  /** Hours by which the process's wall clock is wrong. */
  readonly clockShiftHours?: number
  /** Time limit of a call to a supplier, in seconds. Absent: the usual one with the simulator. */
  readonly callSeconds?: number
}

/** The folders of an installation, and the address that suppliers call back to. */
export type InstallationSettings = {
  readonly dataDir: string
  readonly logFolder: string
  readonly publicUrl: string
  /** The folder of the version that processes are started from, or a link to it. */
  readonly tree: string
  /** Variables that lead every process to another database than the embedded one. */
  readonly database?: Readonly<Record<string, string>>
}

const simulatorEntry = fileURLToPath(new URL('../../server/bin/simulator.js', import.meta.url))
const shiftClockEntry = new URL('./faults/shift-clock.ts', import.meta.url).href

/** Environment variables of every process of an installation. */
export function commonEnvironment({ dataDir, database }: InstallationSettings): Record<string, string> {
  // The demo must seed no orders, because the proofs count all orders.
  return { DATA_DIR: dataDir, LOG_LEVEL: 'info', DEMO: 'empty', ...database }
}

function roleEnvironment(
  place: InstallationSettings,
  { databaseUrl, clockShiftHours, callSeconds }: ProcessOptions,
): Record<string, string> {
  return {
    ...commonEnvironment(place),
    ...(clockShiftHours === undefined ? {} : { CLOCK_SHIFT_HOURS: String(clockShiftHours) }),
    ...(callSeconds === undefined ? {} : { SIMULATOR_CALL_SECONDS: String(callSeconds) }),
    // A process with DATABASE_URL does not use the embedded server's key file, so its path is given here.
    ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl, SECRETS_KEY_FILE: join(place.dataDir, 'secrets.key') }),
  }
}

function roleProgram(role: string, { tree }: InstallationSettings, { clockShiftHours }: ProcessOptions) {
  const { node, entry } = programOf(tree)
  const words = [entry, role]
  return { node, words: clockShiftHours === undefined ? words : ['--import', shiftClockEntry, ...words] }
}

/** `makola api`, always on the same port. */
export function describeApi(place: InstallationSettings, name: string, port: number, options: ProcessOptions): ApiProcess {
  const api = manageProcess({
    name,
    ...roleProgram('api', place, options),
    environment: { ...roleEnvironment(place, options), PORT: String(port) },
    logFile: join(place.logFolder, `${name}.log`),
    isReady: (_child, hasSaidSo) => hasSaidSo,
  })
  return { ...api, url: `https://localhost:${port}` }
}

export function describeWorker(place: InstallationSettings, name: string, options: ProcessOptions): ManagedProcess {
  return manageProcess({
    name,
    ...roleProgram('worker', place, options),
    environment: { ...roleEnvironment(place, options), PUBLIC_URL: place.publicUrl },
    logFile: join(place.logFolder, `${name}.log`),
    isReady: (_child, hasSaidSo) => hasSaidSo,
  })
}

/** Runs the simulator directly, not through `makola simulator`, so that a kill hits the program itself. */
export async function describeSimulator(
  place: InstallationSettings,
  environment: Record<string, string>,
): Promise<SimulatorProcess> {
  const port = await findFreePort('127.0.0.1')
  const url = `http://127.0.0.1:${port}`
  const simulator = manageProcess({
    name: 'simulator',
    words: [simulatorEntry],
    environment: { DATA_DIR: place.dataDir, LOG_LEVEL: 'info', SIMULATOR_PORT: String(port), ...environment },
    logFile: join(place.logFolder, 'simulator.log'),
    isReady: async () => (await fetch(`${url}/health`, { signal: AbortSignal.timeout(10_000) })).ok,
  })
  return { ...simulator, url }
}
