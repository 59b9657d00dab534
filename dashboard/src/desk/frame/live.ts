import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { refreshTopic } from '../../both/api/use-read.ts'
import { deskMeKey } from '../me.ts'
import { listenForChanges } from './listen-for-changes.ts'

/**
 * The topics of the screens. A topic is the first word of a query's key, as in `['orders', …]`. When the server reports a
 * change of a topic, the queries with this word are read again.
 */
export type Topic =
  | 'needs'
  | 'today'
  | 'orders'
  | 'sms'
  | 'approvals'
  | 'accounts'
  | 'keys'
  | 'webhooks'
  | 'business'
  | 'top-ups'
  | 'senders'
  | 'notices'
  | 'problems'
  | 'packages'
  | 'vouchers'
  | 'afa'
  | 'numbers'
  | 'switches'
  | 'suppliers'
  | 'reconcile'
  | 'reports'
  | 'alarms'
  | 'log'
  | 'staff'

/** A topic is not read again more often than this, however fast it changes. */
const refreshMilliseconds = 2_000

/**
 * Gathers the changed topics. Passes the first one on at once, later ones together after a pause, and none while the page is
 * hidden.
 */
function createRefresh(refresh: (topics: readonly string[]) => void) {
  const stale = new Set<string>()
  let lastAt = Number.NEGATIVE_INFINITY
  let timer: ReturnType<typeof setTimeout> | undefined
  const flush = () => {
    timer = undefined
    if (document.visibilityState !== 'visible' || stale.size === 0) return
    lastAt = performance.now()
    const topics = [...stale]
    stale.clear()
    refresh(topics)
  }
  const plan = () => {
    timer ??= setTimeout(flush, Math.max(0, lastAt + refreshMilliseconds - performance.now()))
  }
  document.addEventListener('visibilitychange', plan)
  return {
    add(topics: readonly string[]) {
      for (const topic of topics) stale.add(topic)
      plan()
    },
    stop() {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', plan)
    },
  }
}

/** Keeps the screens up to date: reads the shown queries again whose topics have changed on the server. */
export function useLive(): void {
  const queries = useQueryClient()
  useEffect(() => {
    const refresh = createRefresh((topics) => {
      for (const topic of topics) void refreshTopic(queries, topic)
    })
    const stop = listenForChanges({
      onMoved: (topics) => {
        refresh.add(topics)
        if (topics.includes('alarms')) void import('../alarms/notify-alarms.ts').then(({ notifyAlarms }) => notifyAlarms())
      },
      onRefused: () => void queries.invalidateQueries({ queryKey: deskMeKey }),
    })
    return () => {
      stop()
      refresh.stop()
    }
  }, [queries])
}
