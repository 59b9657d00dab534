import type { Logger } from 'pino'
import type { Db } from '../../platform/database/database.ts'
import { liveTopics } from './live-topics.ts'
import { type LiveMarks, type ReadMarks, readLiveMarks } from './read-live-marks.ts'

/**
 * A listener. It is told which topics have changed, with their marks now. A mark may be the one that it was told last: the
 * topic has changed all the same.
 */
export type LiveListener = (moved: Partial<LiveMarks>) => void

/** Tells open desks that something has changed. */
export type Live = {
  /** The marks as they were read at most half a second ago. Those who ask at about the same time share one read. */
  read(): Promise<LiveMarks>
  /**
   * Gives the marks, and calls the listener when something has changed since: nothing lies between the two. `marks` rejects
   * when they cannot be read.
   */
  listen(listener: LiveListener): { readonly marks: Promise<LiveMarks>; readonly leave: () => void }
}

/** While somebody listens, the marks are read once in so long. */
const pollMilliseconds = 1_000

/** Marks that were asked for so lately are given to those who ask next. */
const sharedMilliseconds = 500

function movedBetween(before: ReadMarks, now: ReadMarks, announcedEarly: ReadonlySet<string>): Partial<LiveMarks> {
  // Some markers change before their transaction has committed. Their topics are announced once more with the next
  // read, when the transaction has ended.
  const moved = liveTopics.filter((topic) => before.marks[topic] !== now.marks[topic] || announcedEarly.has(topic))
  return Object.fromEntries(moved.map((topic) => [topic, now.marks[topic]]))
}

/**
 * Opens what tells the desks that something has changed. However many listen in this process, it sends the database one statement
 * a second; while nobody listens, none. Calls of `read` add at most two a second.
 */
export function openLive({ db, log }: { readonly db: Db; readonly log: Logger }): Live {
  const listeners = new Set<LiveListener>()
  let isPolling = false
  /** What the poll has read last. Undefined while none runs, and before its first read. */
  let last: ReadMarks | undefined
  /** Those who listen before there is a last read wait for it. */
  let firstRead: PromiseWithResolvers<ReadMarks> | undefined
  let early: ReadonlySet<string> = new Set()
  let shared: { readonly read: Promise<ReadMarks>; readonly at: number } | undefined
  let hasFailed = false

  function readShared(): Promise<ReadMarks> {
    if (shared && performance.now() - shared.at < sharedMilliseconds) return shared.read
    shared = { read: readLiveMarks(db), at: performance.now() }
    return shared.read
  }

  async function readAndTell(): Promise<void> {
    try {
      const now = await readLiveMarks(db)
      shared = { read: Promise.resolve(now), at: performance.now() }
      const before = last ?? now
      const moved = movedBetween(before, now, early)
      early = new Set(liveTopics.filter((topic) => before.early[topic] !== now.early[topic]))
      last = now
      hasFailed = false
      firstRead?.resolve(now)
      if (Object.keys(moved).length > 0) for (const listener of listeners) listener(moved)
    } catch (error) {
      if (!hasFailed) log.warn({ err: error }, 'what has changed cannot be read, so open desks are not told')
      hasFailed = true
      firstRead?.reject(error)
    }
    firstRead = undefined
  }

  async function poll(): Promise<void> {
    if (isPolling) return
    isPolling = true
    while (listeners.size > 0) {
      await readAndTell()
      await new Promise<void>((resolve) => setTimeout(resolve, pollMilliseconds).unref())
    }
    isPolling = false
    last = undefined
    early = new Set()
  }

  return {
    read: async () => (await readShared()).marks,
    listen(listener) {
      listeners.add(listener)
      const read = last ?? (firstRead ??= Promise.withResolvers()).promise
      void poll()
      return { marks: Promise.resolve(read).then(({ marks }) => marks), leave: () => listeners.delete(listener) }
    },
  }
}
