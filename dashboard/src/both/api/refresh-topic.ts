import type { QueryClient } from '@tanstack/react-query'

/**
 * Reads the answers of a topic again: those on the screen at once, others when they are shown next. Reading a list again would
 * break off the next page that somebody asked for, so it waits for that page.
 */
export async function refreshTopic(queries: QueryClient, topic: string): Promise<void> {
  const ofTopic = { queryKey: [topic] }
  const listNextPages = () =>
    queries
      .getQueryCache()
      .findAll({ ...ofTopic, fetchStatus: 'fetching' })
      .flatMap(({ state, promise }) => (state.fetchMeta?.fetchMore && promise ? [promise] : []))
  for (let coming = listNextPages(); coming.length > 0; coming = listNextPages()) await Promise.allSettled(coming)
  await queries.invalidateQueries(ofTopic)
}
