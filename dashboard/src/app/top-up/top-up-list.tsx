import { Button } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { answerOf, api } from '../../both/api/call-api.ts'
import { Section } from '../../both/layout/page.tsx'
import { Empty, Failure, Waiting } from '../../both/layout/wait.tsx'
import { Row, Rows } from '../../both/list/rows.tsx'
import { exactMoment } from '../../both/moments/format-moment.ts'
import { formatGhs } from '../../both/money/format-ghs.ts'
import { topUpWords } from '../words/top-up.ts'
import { TopUpState } from './top-up-state.tsx'

const perPage = 10

/** The top-ups of the account, newest first, each a link to its own screen. */
export function TopUpList() {
  const { data, error, isError, refetch, fetchNextPage, hasNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: ['top-ups'],
    queryFn: ({ pageParam, signal }) =>
      answerOf(() =>
        api.GET('/app/api/top-ups', {
          params: { query: { limit: perPage, ...(pageParam !== '' && { after: pageParam }) } },
          signal,
        }),
      ),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
  })
  const topUps = data?.pages.flatMap((page) => page.top_ups)
  return (
    <Section title={topUpWords.yours}>
      {isError && <Failure error={error} onRetry={() => void refetch()} />}
      {!isError && topUps === undefined && <Waiting lines={2} />}
      {topUps?.length === 0 && <Empty title={topUpWords.none}>{topUpWords.noneHelp}</Empty>}
      {topUps !== undefined && topUps.length > 0 && (
        <>
          <Rows label={topUpWords.yours}>
            {topUps.map((topUp) => (
              <Row
                key={topUp.top_up_id}
                href={`/top-up/${topUp.top_up_id}`}
                title={formatGhs(topUp.amount)}
                detail={`${topUpWords.wayOf(topUp.way)} · ${exactMoment(topUp.created_at)}`}
                end={<TopUpState topUp={topUp} />}
              />
            ))}
          </Rows>
          {hasNextPage && (
            <Button variant="default" fullWidth mt={12} loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
              {topUpWords.more}
            </Button>
          )}
        </>
      )}
    </Section>
  )
}
