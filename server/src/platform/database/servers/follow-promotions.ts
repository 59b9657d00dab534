import { patienceMilliseconds } from './find-server.ts'

/** A pool of this process, as the other pools to the same servers see it. */
export type PoolOfServers = {
  /** True while one of its statements has waited for longer than `patienceMilliseconds`. */
  readonly isWaiting: () => boolean
  /** Asks all servers which one was promoted last, and lets the other pools follow. */
  readonly search: () => Promise<unknown>
  /**
   * Closes connections to servers of earlier timelines, and uses this server if its timeline is later than the one in use.
   * @param place its index in the list of servers
   */
  readonly follow: (place: number, timeLine: string) => void
}

type Group = { readonly pools: Set<PoolOfServers>; readonly timer: NodeJS.Timeout }

const groups = new Map<string, Group>()

/**
 * Opens a group whose pools search together. A waiting statement may hang on a former leader, so one of the pools asks all
 * servers; only one such search runs at a time.
 */
function openGroup(): Group {
  const pools = new Set<PoolOfServers>()
  let isSearching = false
  async function look(): Promise<void> {
    const waiting = isSearching ? undefined : [...pools].find(({ isWaiting }) => isWaiting())
    if (!waiting) return
    isSearching = true
    await waiting.search().catch(() => undefined)
    isSearching = false
  }
  return { pools, timer: setInterval(() => void look(), patienceMilliseconds).unref() }
}

/**
 * Makes all pools of this process with the same servers leave a former leader together, as soon as one of them has a connection
 * to a server of a later timeline. A pool that only reads would not notice: a former leader still answers, with old data.
 * @param servers the same text for the same servers in the same order
 */
export function followPromotions(
  servers: string,
  pool: PoolOfServers,
): { readonly announce: PoolOfServers['follow']; readonly stop: () => void } {
  const group = groups.get(servers) ?? openGroup()
  groups.set(servers, group)
  group.pools.add(pool)
  return {
    announce: (place, timeLine) => {
      for (const each of group.pools) each.follow(place, timeLine)
    },
    stop: () => {
      group.pools.delete(pool)
      if (group.pools.size > 0) return
      clearInterval(group.timer)
      groups.delete(servers)
    },
  }
}
