import type { Logger } from 'pino'
import { backOff } from '../../../platform/back-off.ts'
import type { Db } from '../../../platform/database/database.ts'
import type { Metrics } from '../../../platform/metrics/open-metrics.ts'
import type { RegistrationAnswer, RegistrationSupplier } from '../../../suppliers/registration-port.ts'
import { clearAwayAlarm, raiseAwayAlarm } from './raise-away-alarm.ts'
import type { RegistrationServer, RegistrationServers, ServerNo } from './registration-servers.ts'

/** What one process knows of whether the registration servers can be reached at all. Nothing of it outlives the process. */
export type ServerWatch = {
  /** Whether a server counts as away: purchases then pass without asking it. */
  isAway(server: RegistrationServer): boolean
  /** Is told how every call about a number ended, and writes the log of those that found nobody. */
  note(server: RegistrationServer, number: string, answer: RegistrationAnswer): void
  /** Probes nothing more, and waits for what is under way. */
  stop(): Promise<void>
}

export type WatchDeps = {
  readonly db: Db
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>
  readonly servers: Pick<RegistrationServers, 'read'>
  readonly metrics?: Metrics | undefined
}

/** How patient the watch is; tests are less so. */
export type WatchTimes = {
  /** From a server's going away to the first probe; each further one waits twice as long, up to the maximum. */
  readonly probeMilliseconds: number
  readonly probeMillisecondsMax: number
  /** A probe that takes longer has failed. */
  readonly answerMillisecondsMax: number
  /** Away for longer than this is something that a person should know. */
  readonly alarmMilliseconds: number
}

/** Probes hold up nobody and are one small call: often enough that a server that is back is used again within seconds. */
const usualTimes: WatchTimes = {
  probeMilliseconds: 1_000,
  probeMillisecondsMax: 30_000,
  answerMillisecondsMax: 3_000,
  alarmMilliseconds: 60_000,
}

/** One number can be what a server fails on. Silence about so many different ones in a row makes it worth a probe. */
const suspiciousNumbers = 3

/** Asked by probes. Nobody has it: any whole answer, a refusal too, shows that the server is there. */
export const probeNumber = '0000000000'

/** A server as this process has found it. */
type Found = {
  readonly server: ServerNo
  readonly supplier: RegistrationSupplier
  /** Different numbers asked about without an answer, since the last answer about any. */
  readonly silentNumbers: Set<string>
  isSilenceTold: boolean
  isProbing: boolean
  /** By this process's own steady clock; undefined while it is there. */
  awaySince: number | undefined
  failedProbes: number
  isAlarmRaised: boolean
  timer: NodeJS.Timeout | undefined
}

/**
 * Watches whether the registration servers can be reached, so that purchases do not wait for one that is away.
 * Silence about several different numbers in a row leads to one probe about a number of nobody; only when that
 * is not answered either is the server away. It is probed ever less often, one probe at a time, until it answers
 * anything to anybody. A server whose supplier was changed is a new one. What an operator must know is raised as
 * the alarm `registration_server_away`.
 */
export function watchRegistrationServers(deps: WatchDeps, times: WatchTimes = usualTimes): ServerWatch {
  const found = new Map<ServerNo, Found>()
  const running = new Set<Promise<void>>()
  const stopping = new AbortController()
  const away = deps.metrics?.gauge(
    'makola_registration_server_away',
    'Whether this process cannot reach a registration server, and sells without asking it.',
    ['server'],
  )
  for (const server of [1, 2]) away?.set({ server }, 0)

  /** Runs what nobody waits for. */
  function runBeside(work: Promise<void>, failure: string): void {
    const guarded = work.catch((error: unknown) => deps.log.warn({ err: error }, failure))
    running.add(guarded)
    void guarded.finally(() => running.delete(guarded))
  }

  function forget(state: Found): void {
    clearTimeout(state.timer)
    if (found.get(state.server) === state) found.delete(state.server)
    if (state.awaySince === undefined) return
    state.awaySince = undefined
    away?.set({ server: state.server }, 0)
    if (!state.isAlarmRaised) return
    runBeside(clearAwayAlarm(deps.db, state.server), 'the alarm of a registration server could not be cleared')
  }

  function find({ server, supplier }: RegistrationServer): Found | undefined {
    const known = found.get(server)
    if (known && known.supplier !== supplier) forget(known)
    return found.get(server)
  }

  function noteAnswered(state: Found): void {
    if (state.awaySince !== undefined) {
      const awaySeconds = Math.round((performance.now() - state.awaySince) / 1_000)
      deps.log.info({ server: state.server, supplier: state.supplier.name, awaySeconds }, 'a registration server is back')
    }
    forget(state)
  }

  function scheduleProbe(state: Found): void {
    const pause = backOff(state.failedProbes, { first: times.probeMilliseconds, most: times.probeMillisecondsMax, spread: 0.25 })
    clearTimeout(state.timer)
    state.timer = setTimeout(() => startProbe(state), pause).unref()
  }

  async function noteProbeFailed(state: Found, evidence: string): Promise<void> {
    const { server, supplier } = state
    if (state.awaySince === undefined) {
      state.awaySince = performance.now()
      away?.set({ server }, 1)
      deps.log.warn({ server, supplier: supplier.name, evidence }, 'a registration server is away; purchases do not ask it')
    } else {
      state.failedProbes += 1
    }
    scheduleProbe(state)
    const awayMilliseconds = performance.now() - state.awaySince
    if (awayMilliseconds < times.alarmMilliseconds) return
    state.isAlarmRaised = true
    await raiseAwayAlarm(deps.db, deps.log, { server, supplierName: supplier.name, awayMilliseconds, evidence })
    // It came back in this moment, and its alarm may have been cleared before it was raised.
    if (found.get(server) !== state) await clearAwayAlarm(deps.db, server)
  }

  async function probe(state: Found): Promise<void> {
    const now = await deps.servers.read(state.server)
    if (find(now) !== state) return
    const signal = AbortSignal.any([stopping.signal, AbortSignal.timeout(times.answerMillisecondsMax)])
    const { contact, evidence } = await state.supplier.checkRecipient(probeNumber, signal)
    // Somebody else's call was answered in the meantime, or the process stops.
    if (stopping.signal.aborted || found.get(state.server) !== state) return
    // A probe that found no free slot waited behind calls that were not answered either.
    if (contact === 'answered') noteAnswered(state)
    else await noteProbeFailed(state, evidence)
  }

  function startProbe(state: Found): void {
    if (state.isProbing || stopping.signal.aborted) return
    state.isProbing = true
    const probing = probe(state)
      .catch((error: unknown) => {
        // The database is away: the next probe finds out.
        if (state.awaySince !== undefined && found.get(state.server) === state) scheduleProbe(state)
        throw error
      })
      .finally(() => {
        state.isProbing = false
      })
    runBeside(probing, 'a registration server could not be probed')
  }

  function noteSilence({ server, supplier }: RegistrationServer, number: string, answer: RegistrationAnswer): void {
    if (!supplier) return
    const state: Found = found.get(server) ?? {
      server,
      supplier,
      silentNumbers: new Set(),
      isSilenceTold: false,
      isProbing: false,
      awaySince: undefined,
      failedProbes: 0,
      isAlarmRaised: false,
      timer: undefined,
    }
    found.set(server, state)
    if (!state.isSilenceTold) {
      state.isSilenceTold = true
      deps.log.warn({ server, supplier: supplier.name, evidence: answer.evidence }, 'a registration server gave no answer')
    }
    if (state.awaySince !== undefined || answer.contact === 'unasked') return
    if (state.silentNumbers.size < suspiciousNumbers) state.silentNumbers.add(number)
    if (state.silentNumbers.size === suspiciousNumbers) startProbe(state)
  }

  return {
    isAway: (server) => find(server)?.awaySince !== undefined,
    note: (server, number, answer) => {
      const state = find(server)
      if (answer.contact !== 'answered') noteSilence(server, number, answer)
      else if (state) noteAnswered(state)
    },
    stop: async () => {
      stopping.abort()
      for (const { timer } of found.values()) clearTimeout(timer)
      await Promise.all(running)
    },
  }
}
