import {
  type InfiniteData,
  type QueryClient,
  type UseQueryOptions,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { type AnswerOf, type FieldsOf, type FieldsThen, get, type PathOf } from './call-api.ts'

type ReadPath = PathOf<'get'>
type Options<P extends ReadPath, Data> = Omit<UseQueryOptions<AnswerOf<P>, Error, Data>, 'queryKey' | 'queryFn'>

/**
 * Reads from the API, typed by its document, and keeps the answer.
 *
 * @param topic what the answer is about: answers of one topic are read again together, by `useRefresh` and when the server reports
 *   a change
 */
export function useRead<P extends ReadPath, Data = AnswerOf<P>>(
  topic: string,
  path: P,
  ...[fields, options]: FieldsThen<P, 'get', [Options<P, Data>?]>
) {
  return useQuery({ ...readOptions<P>(topic, path, fields), ...options })
}

/** The query of `useRead`. With it, an answer can be fetched before the component that shows it is drawn. */
export const readOptions = <P extends ReadPath>(topic: string, path: P, fields: object | undefined) => ({
  queryKey: [topic, path, fields],
  queryFn: ({ signal }: { readonly signal: AbortSignal }) => callGet(path, fields, signal),
})

/** As `get`, with fields for any path. The type of the fields was checked where they were given. */
const callGet = get as <P extends ReadPath>(path: P, fields: object | undefined, signal: AbortSignal) => Promise<AnswerOf<P>>

/** Rows of a page in most lists. */
export const pageRows = 50

/** The paths whose answers come in pages. */
export type PagedPath = { [P in ReadPath]: AnswerOf<P> extends { readonly next: string | number | null } ? P : never }[ReadPath]

type PageOptions<Page> = {
  readonly cursor?: 'after' | 'before'
  /** The pause in milliseconds before the pages are read again. A function, where the pause depends on the pages. */
  readonly refetchInterval?: number | ((query: { state: { data: InfiniteData<Page> | undefined } }) => number | false)
}

/**
 * Reads a list that comes in pages.
 *
 * @param cursor the query field that takes the `next` of the last page
 */
export function usePages<P extends PagedPath>(
  topic: string,
  path: P,
  fields: FieldsOf<P, 'get'>,
  { cursor = 'after', ...options }: PageOptions<AnswerOf<P>> = {},
) {
  return useInfiniteQuery({
    queryKey: [topic, path, fields],
    initialPageParam: undefined as string | number | undefined,
    queryFn: ({ pageParam, signal }) => callGet(path, { ...fields, [cursor]: pageParam }, signal),
    getNextPageParam: (page) => (page as unknown as { readonly next: string | number | null }).next ?? undefined,
    ...options,
  })
}

/** A function that reads the answers of some topics again. */
export function useRefresh(): (topics: readonly string[]) => Promise<unknown> {
  const queries = useQueryClient()
  return (topics) => Promise.all(topics.map((topic) => refreshTopic(queries, topic)))
}

/**
 * Does something at the server, and then reads the answers of some topics again.
 *
 * @param onDone called when the answers are new
 */
export function useAct<Answer, Given = void>(
  run: (given: Given) => Promise<Answer>,
  topics: readonly string[],
  onDone?: (answer: Answer, given: Given) => void,
) {
  const refresh = useRefresh()
  return useMutation({
    mutationFn: run,
    onSuccess: async (answer, given) => {
      await refresh(topics)
      onDone?.(answer, given)
    },
  })
}

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
