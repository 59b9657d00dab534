import { Button } from '@mantine/core'
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Failure, Waiting } from '../layout/wait.tsx'

type Props<Page> = {
  readonly query: UseInfiniteQueryResult<InfiniteData<Page>>
  /** What the button for the next page says. */
  readonly more: string
  readonly children: (pages: readonly Page[]) => ReactNode
}

/**
 * Shows a list that comes in pages: a skeleton, the failure, or what has come, with a button for more. The rows of an
 * earlier search are never shown: somebody would take them for rows that fit.
 */
export function MorePages<Page>({ query, more, children }: Props<Page>) {
  const { data, error, hasNextPage, isFetchingNextPage, isPlaceholderData, fetchNextPage, refetch } = query
  if (!data || isPlaceholderData) return error ? <Failure error={error} onRetry={() => void refetch()} /> : <Waiting lines={5} />
  return (
    <>
      {children(data.pages)}
      {error && <Failure error={error} onRetry={() => void (hasNextPage ? fetchNextPage() : refetch())} />}
      {hasNextPage && !error && (
        <Button variant="default" mt={12} fullWidth loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {more}
        </Button>
      )}
    </>
  )
}
