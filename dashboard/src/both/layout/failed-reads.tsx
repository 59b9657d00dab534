import { type Query, useQueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { sharedWords } from '../words.ts'
import { FailureCard } from './query-states.tsx'
import { useShownErrors } from './shown-errors.ts'

/** True when a part of the present screen has asked for this query, and its last read failed. */
const hasFailed = (query: Query): boolean => query.isActive() && query.state.status === 'error'

/**
 * Shows the reads of this screen that failed and whose failure no part of the screen shows. Without it, a missing count or an old
 * section would look right.
 */
export function FailedReads() {
  const queries = useQueryClient()
  const cache = queries.getQueryCache()
  const shown = useShownErrors()
  const hashes = useSyncExternalStore(
    (onChange) => cache.subscribe(onChange),
    () =>
      cache
        .findAll({ predicate: hasFailed })
        .filter(({ state }) => !shown.includes(state.error))
        .map(({ queryHash }) => queryHash)
        .join('\n'),
  )
  const failed = hashes.split('\n').flatMap((hash) => cache.get(hash) ?? [])
  const [first] = failed
  if (!first) return null
  return (
    <FailureCard
      title={sharedWords.notAllRead}
      error={first.state.error}
      onRetry={() => void Promise.all(failed.map(({ queryKey }) => queries.refetchQueries({ queryKey, exact: true })))}
    />
  )
}
