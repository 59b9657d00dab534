import { Button } from '@mantine/core'
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Failure, Waiting } from '../layout/query-states.tsx'

type Props<Page> = {
  readonly query: UseInfiniteQueryResult<InfiniteData<Page>>
  /** The text of the button for the next page. */
  readonly more: string
  readonly children: (pages: readonly Page[]) => ReactNode
}

/**
 * Shows a list that comes in pages: a skeleton, the failure, or the pages so far, with a button for more. Never shows rows of an
 * earlier search, because somebody would take them for results of this one.
 */
export function MorePages<Page>({ query, more, children }: Props<Page>) {
  const { data, error, hasNextPage, isFetchNextPageError, isFetchingNextPage, isPlaceholderData, isRefetching } = query
  const { fetchNextPage, refetch } = query
  const showMore = async () => {
    await fetchNextPage()
    // The next page cancelled a running refresh of the list, so it runs now.
    if (isRefetching) await refetch()
  }
  if (!data || isPlaceholderData) return error ? <Failure error={error} onRetry={() => void refetch()} /> : <Waiting lines={5} />
  return (
    <>
      {children(data.pages)}
      {error && <Failure error={error} onRetry={() => void (isFetchNextPageError ? fetchNextPage() : refetch())} />}
      {hasNextPage && !error && (
        <Button variant="default" mt={12} fullWidth loading={isFetchingNextPage} onClick={() => void showMore()}>
          {more}
        </Button>
      )}
    </>
  )
}
