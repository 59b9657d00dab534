import type { Logger } from 'pino'
import { backOff } from '../../../platform/back-off.ts'
import type { Db } from '../../../platform/database/database.ts'
import type { Metrics } from '../../../platform/metrics/open-metrics.ts'
import type { RegistrationAnswer, RegistrationSupplier } from '../../../suppliers/registration-port.ts'
import { clearAwayAlarm, raiseAwayAlarm } from './raise-away-alarm.ts'
import type { RegistrationServer, RegistrationServers, ServerNo } from './registration-servers.ts'

/** One process's knowledge about which registration servers can be reached, only in memory. */
export type ServerWatch = {
  /** Returns whether a server counts as away: purchases then pass without asking it. */
  isAway(server: RegistrationServer): boolean
  /** Records the result of each call about a number. Logs the first call without an answer, and the return of the server. */
  record(server: RegistrationServer, number: string, answer: RegistrationAnswer): void
  /** Starts no more probes, breaks off a running one, and waits until all background work has ended. */
  stop(): Promise<void>
}

export type WatchDeps = {
  readonly db: Db
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>
  readonly servers: Pick<RegistrationServers, 'read'>
  readonly metrics?: Metrics | undefined
}

export type WatchTimes = {
  /** Pause after the first failed probe. Each further pause is twice as long, up to the maximum. */
  readonly probeMilliseconds: number
  readonly probeMillisecondsMax: number
  /** Time limit of a probe. */
  readonly answerMillisecondsMax: number
  /** A longer absence raises an alarm. */
  readonly alarmMilliseconds: number
}

/** Probes are small and delay nobody, so they come often enough to use a server soon after its return. */
const usualTimes: WatchTimes = {
  probeMilliseconds: 1_000,
  probeMillisecondsMax: 30_000,
  answerMillisecondsMax: 3_000,
  alarmMilliseconds: 60_000,
}

/** A server may fail on one number alone. Silence about this many different numbers in a row starts a probe. */
const suspiciousNumbers = 3

/** A phone number that nobody has. The check whether a registration server can be reached asks about it; a refusal is an answer too. */
export const probeNumber = '0000000000'

type SilentServer = {
  readonly server: ServerNo
  readonly supplier: RegistrationSupplier
  /** Numbers about which the server did not answer, since its last answer. */
  readonly silentNumbers: Set<string>
  isSilenceLogged: boolean
  isProbing: boolean
  /** Start of the absence, by this process's monotonic clock. Undefined while the server can be reached. */
  awaySince: number | undefined
  failedProbes: number
  isAlarmRaised: boolean
  timer: NodeJS.Timeout | undefined
}

type WatchState = {
  readonly deps: WatchDeps
  readonly times: WatchTimes
  readonly found: Map<ServerNo, SilentServer>
  /** Background work that `stop` waits for. */
  readonly running: Set<Promise<void>>
  readonly stopping: AbortController
  showAway(server: ServerNo, isAway: boolean): void
}

/**
 * Watches whether the registration servers can be reached, so that no purchase waits for one that is away. After silence
 * about several different numbers in a row, one probe asks about a number that nobody has. Without an answer to it, the
 * server is away, and is probed at growing intervals, one probe at a time, until it answers any call. A server whose
 * supplier was changed counts as new. A long absence raises the alarm `registration_server_away`.
 */
export function watchRegistrationServers(deps: WatchDeps, times: WatchTimes = usualTimes): ServerWatch {
  const away = deps.metrics?.gauge(
    'makola_registration_server_away',
    'Whether this process cannot reach a registration server, and sells without asking it.',
    ['server'],
  )
  const watching: WatchState = {
    deps,
    times,
    found: new Map(),
    running: new Set(),
    stopping: new AbortController(),
    showAway: (server, isAway) => away?.set({ server }, isAway ? 1 : 0),
  }
  for (const server of [1, 2] as const) watching.showAway(server, false)
  return {
    isAway: (server) => find(watching, server)?.awaySince !== undefined,
    record: (server, number, answer) => {
      const state = find(watching, server)
      if (answer.contact !== 'answered') recordSilence(watching, server, number, answer)
      else if (state) recordReturn(watching, state)
    },
    stop: async () => {
      watching.stopping.abort()
      for (const { timer } of watching.found.values()) clearTimeout(timer)
      await Promise.all(watching.running)
    },
  }
}

function runInBackground({ deps, running }: WatchState, work: Promise<void>, failure: string): void {
  const guarded = work.catch((error: unknown) => deps.log.warn({ err: error }, failure))
  running.add(guarded)
  void guarded.finally(() => running.delete(guarded))
}

function isKnown({ found }: WatchState, state: SilentServer): boolean {
  return found.get(state.server) === state
}

function endSilence(watching: WatchState, state: SilentServer): void {
  clearTimeout(state.timer)
  if (isKnown(watching, state)) watching.found.delete(state.server)
  if (state.awaySince === undefined) return
  state.awaySince = undefined
  watching.showAway(state.server, false)
  if (!state.isAlarmRaised) return
  runInBackground(
    watching,
    clearAwayAlarm(watching.deps.db, state.server),
    'the alarm of a registration server could not be cleared',
  )
}

/** Finds what is known about a server. Undefined: nothing is, or its supplier was changed, so that it counts as new. */
function find(watching: WatchState, { server, supplier }: RegistrationServer): SilentServer | undefined {
  const known = watching.found.get(server)
  if (known && known.supplier !== supplier) endSilence(watching, known)
  return watching.found.get(server)
}

function recordReturn(watching: WatchState, state: SilentServer): void {
  if (state.awaySince !== undefined) {
    const awaySeconds = Math.round((performance.now() - state.awaySince) / 1_000)
    watching.deps.log.info({ server: state.server, supplier: state.supplier.name, awaySeconds }, 'a registration server is back')
  }
  endSilence(watching, state)
}

function createSilentServer(server: ServerNo, supplier: RegistrationSupplier): SilentServer {
  return {
    server,
    supplier,
    silentNumbers: new Set(),
    isSilenceLogged: false,
    isProbing: false,
    awaySince: undefined,
    failedProbes: 0,
    isAlarmRaised: false,
    timer: undefined,
  }
}

function recordSilence(
  watching: WatchState,
  { server, supplier }: RegistrationServer,
  number: string,
  answer: RegistrationAnswer,
): void {
  if (!supplier) return
  const state = watching.found.get(server) ?? createSilentServer(server, supplier)
  watching.found.set(server, state)
  if (!state.isSilenceLogged) {
    state.isSilenceLogged = true
    watching.deps.log.warn({ server, supplier: supplier.name, evidence: answer.evidence }, 'a registration server gave no answer')
  }
  if (state.awaySince !== undefined || answer.contact === 'unasked') return
  if (state.silentNumbers.size < suspiciousNumbers) state.silentNumbers.add(number)
  if (state.silentNumbers.size === suspiciousNumbers) startProbe(watching, state)
}

function startProbe(watching: WatchState, state: SilentServer): void {
  if (state.isProbing || watching.stopping.signal.aborted) return
  state.isProbing = true
  const probing = probe(watching, state)
    .catch((error: unknown) => {
      // The database does not answer; the next probe tries again.
      if (state.awaySince !== undefined && isKnown(watching, state)) scheduleProbe(watching, state)
      throw error
    })
    .finally(() => {
      state.isProbing = false
    })
  runInBackground(watching, probing, 'a registration server could not be probed')
}

async function probe(watching: WatchState, state: SilentServer): Promise<void> {
  const { deps, times, stopping } = watching
  const now = await deps.servers.read(state.server)
  if (find(watching, now) !== state) return
  const limit = { signal: stopping.signal, milliseconds: times.answerMillisecondsMax }
  const { contact, evidence } = await state.supplier.checkRecipient(probeNumber, limit)
  // The server has answered another call in the meantime, or the process is stopping.
  if (stopping.signal.aborted || !isKnown(watching, state)) return
  // A probe that got no free slot has failed too: the calls before it had no answer either.
  if (contact === 'answered') recordReturn(watching, state)
  else await recordFailedProbe(watching, state, evidence)
}

function scheduleProbe(watching: WatchState, state: SilentServer): void {
  const { probeMilliseconds: first, probeMillisecondsMax: most } = watching.times
  clearTimeout(state.timer)
  state.timer = setTimeout(() => startProbe(watching, state), backOff(state.failedProbes, { first, most, spread: 0.25 })).unref()
}

async function recordFailedProbe(watching: WatchState, state: SilentServer, evidence: string): Promise<void> {
  const { db, log } = watching.deps
  const { server, supplier } = state
  if (state.awaySince === undefined) {
    state.awaySince = performance.now()
    watching.showAway(server, true)
    log.warn({ server, supplier: supplier.name, evidence }, 'a registration server is away; purchases do not ask it')
  } else {
    state.failedProbes += 1
  }
  const awayMilliseconds = performance.now() - state.awaySince
  if (awayMilliseconds >= watching.times.alarmMilliseconds) {
    state.isAlarmRaised = true
    await raiseAwayAlarm(db, log, { server, supplierName: supplier.name, awayMilliseconds, evidence })
    // The server may have come back just now, and its alarm may have been cleared just before it was raised.
    if (!isKnown(watching, state)) return clearAwayAlarm(db, server)
  }
  // Only now: a probe that is due while this one still writes its alarm would be left out, and none would follow.
  scheduleProbe(watching, state)
}
