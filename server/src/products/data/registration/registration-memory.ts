import type { Epoch } from '../../../platform/database/epoch.ts'
import type { ServerStates } from './combine-states.ts'
import type { ServerNo } from './registration-servers.ts'

/** A yes of a server, as the database keeps it. */
export type StoredYes = {
  readonly number: string
  readonly server: ServerNo
  /** Seconds until it is too old to be believed. */
  readonly secondsLeft: number
}

/** The numbers that this process knows to be registered, so that a purchase for one of them asks nobody. */
export type RegistrationMemory = {
  /** Whether one of these servers said yes about the number. False means only that the memory does not know. */
  isRegistered(number: string, servers: readonly ServerNo[]): boolean
  /**
   * Takes in what servers said just now: a yes is remembered, another answer takes an earlier yes away, and silence does
   * nothing.
   */
  hear(number: string, states: ServerStates): void
  /** Forgets a yes that could not be stored: what is not stored, no other process can take away. */
  forget(number: string, server: ServerNo): void
  /**
   * Called before stored answers are read. The function that it returns takes them in, unless a yes was taken away
   * while they were read.
   */
  beginRead(): (rows: readonly StoredYes[]) => void
}

/**
 * How long a yes is believed without a look at the database. A process that takes a stored yes away raises the epoch, so
 * this time matters only where a row is removed by hand.
 */
const believedSecondsMax = 600

/** Two halves of this many numbers are kept. A number that is bought for again moves into the younger half. */
const halfMax = 25_000

/** Until when the yes of server 1 and of server 2 is believed, in milliseconds of this process's monotonic clock. */
type Believed = Record<ServerNo, number>

const neverSaid: Believed = { 1: 0, 2: 0 }

/**
 * Remembers the yes of the registration servers under the rule of all caches: while the epoch is trusted and has not
 * moved. Nothing but a yes is remembered, because every other answer must be asked for again.
 */
export function createRegistrationMemory(epoch: Pick<Epoch, 'current'>): RegistrationMemory {
  let young = new Map<string, Believed>()
  let old = new Map<string, Believed>()
  let memoryEpoch = -1
  let takenAway = 0

  /** The epoch that the memory stands under; undefined while no memory may be used. */
  function trustedEpoch(): number | undefined {
    const current = epoch.current()?.epoch
    if (current !== undefined && current !== memoryEpoch) {
      young = new Map()
      old = new Map()
      memoryEpoch = current
    }
    return current
  }

  function keep(number: string, believed: Believed): void {
    if (young.size >= halfMax) {
      old = young
      young = new Map()
    }
    young.set(number, believed)
  }

  function believe(number: string, server: ServerNo, secondsLeft: number): void {
    const until = performance.now() + Math.min(secondsLeft, believedSecondsMax) * 1_000
    keep(number, { ...(young.get(number) ?? old.get(number) ?? neverSaid), [server]: until })
  }

  function disbelieve(number: string, server: ServerNo): void {
    takenAway += 1
    const believed = young.get(number) ?? old.get(number)
    if (believed) keep(number, { ...believed, [server]: 0 })
  }

  return {
    isRegistered(number, servers) {
      if (trustedEpoch() === undefined) return false
      let believed = young.get(number)
      if (!believed) {
        believed = old.get(number)
        if (!believed) return false
        keep(number, believed)
      }
      const now = performance.now()
      for (const server of servers) if (believed[server] > now) return true
      return false
    },
    hear(number, states) {
      trustedEpoch()
      for (const [server, state] of states) {
        if (state === 'registered') believe(number, server, believedSecondsMax)
        else if (state !== 'unavailable') disbelieve(number, server)
      }
    },
    forget: disbelieve,
    beginRead() {
      const [epochBefore, takenAwayBefore] = [trustedEpoch(), takenAway]
      return (rows) => {
        if (epochBefore === undefined || trustedEpoch() !== epochBefore || takenAway !== takenAwayBefore) return
        for (const { number, server, secondsLeft } of rows) believe(number, server, secondsLeft)
      }
    },
  }
}
