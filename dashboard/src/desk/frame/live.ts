import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { deskMeKey } from '../me.ts'
import { listenLive } from './listen-live.ts'

/**
 * What screens show, by the second word of their queries' keys: `['desk', 'orders', …]`. What changes somewhere else is
 * asked for anew by these names.
 */
export type Topic =
  | 'needs'
  | 'today'
  | 'orders'
  | 'sms'
  | 'approvals'
  | 'accounts'
  | 'keys'
  | 'business'
  | 'top-ups'
  | 'senders'
  | 'notices'
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

/** Nothing is asked for anew more often than this, however fast it changes. */
const refreshMilliseconds = 2_000

/** Gathers what has changed and hands it on: at once, then once in a while; nothing while nobody looks. */
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

/** Keeps what the screens show true: what has changed on the server is asked for anew, as far as it is shown. */
export function useLive(): void {
  const queries = useQueryClient()
  useEffect(() => {
    const refresh = createRefresh((topics) => {
      for (const topic of topics) void queries.invalidateQueries({ queryKey: ['desk', topic] })
    })
    const stop = listenLive({
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
