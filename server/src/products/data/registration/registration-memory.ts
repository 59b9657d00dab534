import type { Epoch } from '../../../platform/database/epoch.ts'
import type { ServerStates } from './combine-states.ts'
import type { ServerNo } from './registration-servers.ts'

/** A server's stored answer that it has registered the number. */
export type StoredRegistration = {
  readonly number: string
  readonly server: ServerNo
  /** Seconds until the answer is too old to be trusted. */
  readonly secondsLeft: number
}

/** Numbers that this process knows as registered. A purchase for one of them asks no server. */
export type RegistrationMemory = {
  /** Returns whether one of these servers has registered the number. False means only that the memory does not know. */
  isRegistered(number: string, servers: readonly ServerNo[]): boolean
  /** Records new answers: `registered` adds a registration, any other answer removes it, a missing answer changes nothing. */
  learn(number: string, states: ServerStates): void
  /** Drops a registration that could not be stored, because no other process could remove it. */
  forget(number: string, server: ServerNo): void
  /**
   * Call it before stored answers are read. The returned function adds them, unless the epoch moved or a registration was
   * removed during the read.
   */
  beginRead(): (rows: readonly StoredRegistration[]) => void
}

/**
 * Seconds for which a registration is trusted without the database. A process that removes a stored one raises the epoch, so this
 * limit matters only for rows removed by hand.
 */
const trustedSecondsMax = 600

/** The most numbers in each of the two halves of the memory. A number that is bought for again moves into the younger half. */
const halfMax = 25_000

/** Until when the registrations of server 1 and of server 2 are trusted, in milliseconds of this process's monotonic clock. */
type TrustedUntil = Record<ServerNo, number>

const neverTrusted: TrustedUntil = { 1: 0, 2: 0 }

/**
 * Remembers which numbers the servers have registered. Like every cache, it is used only while the last read of the epoch is
 * recent, and it is emptied when the epoch changes. It keeps no other answer, because any other must be asked for again.
 */
export function createRegistrationMemory(epoch: Pick<Epoch, 'current'>): RegistrationMemory {
  let young = new Map<string, TrustedUntil>()
  let old = new Map<string, TrustedUntil>()
  let memoryEpoch = -1
  let removals = 0

  /** Empties the memory when the epoch has changed. Returns the epoch; undefined while it is not trusted. */
  function trustedEpoch(): number | undefined {
    const current = epoch.current()?.epoch
    if (current !== undefined && current !== memoryEpoch) {
      young = new Map()
      old = new Map()
      memoryEpoch = current
    }
    return current
  }

  function keep(number: string, trustedUntil: TrustedUntil): void {
    if (young.size >= halfMax) {
      old = young
      young = new Map()
    }
    young.set(number, trustedUntil)
  }

  function trust(number: string, server: ServerNo, secondsLeft: number): void {
    const until = performance.now() + Math.min(secondsLeft, trustedSecondsMax) * 1_000
    keep(number, { ...(young.get(number) ?? old.get(number) ?? neverTrusted), [server]: until })
  }

  function distrust(number: string, server: ServerNo): void {
    removals += 1
    const trustedUntil = young.get(number) ?? old.get(number)
    if (trustedUntil) keep(number, { ...trustedUntil, [server]: 0 })
  }

  return {
    isRegistered(number, servers) {
      if (trustedEpoch() === undefined) return false
      let trustedUntil = young.get(number)
      if (!trustedUntil) {
        trustedUntil = old.get(number)
        if (!trustedUntil) return false
        keep(number, trustedUntil)
      }
      const now = performance.now()
      for (const server of servers) if (trustedUntil[server] > now) return true
      return false
    },
    learn(number, states) {
      trustedEpoch()
      for (const [server, state] of states) {
        if (state === 'registered') trust(number, server, trustedSecondsMax)
        else if (state !== 'unavailable') distrust(number, server)
      }
    },
    forget: distrust,
    beginRead() {
      const [epochBefore, removalsBefore] = [trustedEpoch(), removals]
      return (rows) => {
        if (epochBefore === undefined || trustedEpoch() !== epochBefore || removals !== removalsBefore) return
        for (const { number, server, secondsLeft } of rows) trust(number, server, secondsLeft)
      }
    },
  }
}
