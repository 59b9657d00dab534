import type { QueryClient } from '@tanstack/react-query'

/**
 * Reads the answers of a topic again: those on the screen at once, others when they are shown next. Waits for a next page that is
 * on its way, because reading the list again would cancel its request.
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
