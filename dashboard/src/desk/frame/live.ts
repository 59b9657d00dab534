import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'

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

/** Everything that stands on the screen is asked for anew after so long. */
const refreshMilliseconds = 2_000

/** Keeps what the screens show true: what has changed on the server is asked for anew. */
export function useLive(): void {
  const queries = useQueryClient()
  useEffect(() => {
    const refresh = () => {
      if (document.visibilityState === 'visible') void queries.invalidateQueries({ queryKey: ['desk'] })
    }
    const timer = setInterval(refresh, refreshMilliseconds)
    return () => clearInterval(timer)
  }, [queries])
}
