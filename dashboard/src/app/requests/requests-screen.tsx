import { Button } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'wouter'
import { answerOf, api } from '../../both/api/call-api.ts'
import type { components } from '../../both/api/dashboard-api.d.ts'
import { Page, Section } from '../../both/layout/page.tsx'
import { Empty, Failure, Waiting } from '../../both/layout/wait.tsx'
import { Row, Rows } from '../../both/list/rows.tsx'
import { relativeMoment } from '../../both/moments/format-moment.ts'
import { requestWords } from '../words/requests.ts'
import { RefusedGroups } from './refused-groups.tsx'
import { type RequestFilter, RequestFilters } from './request-filters.tsx'
import css from './requests.module.css'
import { StatusState } from './status-state.tsx'

type Call = components['schemas']['CallList']['calls'][number]
type Status = '2xx' | '4xx' | '5xx'

const isStatus = (text: string): text is Status => ['2xx', '4xx', '5xx'].includes(text)

function readFilter(search: URLSearchParams): RequestFilter {
  const read = (name: string) => search.get(name) ?? ''
  return { status: read('status'), path: read('path'), key_id: read('key_id'), reference: read('reference') }
}

function useCalls(filter: RequestFilter) {
  return useInfiniteQuery({
    queryKey: ['requests', filter],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      answerOf(() =>
        api.GET('/app/api/requests', {
          signal,
          params: {
            query: {
              ...(isStatus(filter.status) && { status: filter.status }),
              ...(filter.path !== '' && { path: filter.path }),
              ...(filter.key_id !== '' && { key_id: filter.key_id }),
              ...(filter.reference !== '' && { reference: filter.reference }),
              ...(pageParam !== undefined && { after: pageParam }),
            },
          },
        }),
      ),
    getNextPageParam: (page) => page.next ?? undefined,
  })
}

function CallRow({ call }: { readonly call: Call }) {
  const detail = [
    relativeMoment(call.called_at),
    requestWords.milliseconds(call.milliseconds),
    requestWords.withKey(call.key_hint),
    ...call.references.slice(0, 1),
  ]
  return (
    <Row
      href={`/requests/${call.call_id}`}
      title={
        <span className={css.path}>
          {call.method} {call.path}
        </span>
      }
      detail={detail.join(' · ')}
      end={<StatusState status={call.status} />}
    />
  )
}

type ListProps = { readonly filter: RequestFilter; readonly onClear: () => void }

function CallRows({ filter, onClear }: ListProps) {
  const calls = useCalls(filter)
  if (calls.isError && !calls.data) return <Failure error={calls.error} onRetry={() => void calls.refetch()} />
  if (!calls.data) return <Waiting />
  const rows = calls.data.pages.flatMap((page) => page.calls)
  if (rows.length === 0) {
    const isFiltered = Object.values(filter).some((text) => text !== '')
    return isFiltered ? (
      <Empty title={requestWords.emptyFiltered}>
        <Button variant="light" mt={8} onClick={onClear}>
          {requestWords.clear}
        </Button>
      </Empty>
    ) : (
      <Empty title={requestWords.empty}>{requestWords.emptyDetail}</Empty>
    )
  }
  return (
    <>
      <Rows label={requestWords.list}>
        {rows.map((call) => (
          <CallRow key={call.call_id} call={call} />
        ))}
      </Rows>
      {calls.hasNextPage && (
        <Button variant="default" mt={12} fullWidth loading={calls.isFetchingNextPage} onClick={() => void calls.fetchNextPage()}>
          {requestWords.more}
        </Button>
      )}
    </>
  )
}

/** The calls of the account's keys: the refused ones on top, then all of them with filters. */
export default function RequestsScreen() {
  const [search, setSearch] = useSearchParams()
  const filter = readFilter(search)
  const refused = useQuery({
    queryKey: ['requests-refused'],
    queryFn: ({ signal }) => answerOf(() => api.GET('/app/api/requests/refused', { signal })),
  })
  const change = (next: RequestFilter) =>
    setSearch(Object.fromEntries(Object.entries(next).filter(([, text]) => text !== '')), { replace: true })
  return (
    <Page title={requestWords.title}>
      <p className={css.soft}>{requestWords.intro}</p>
      <RefusedGroups groups={refused.data?.refused ?? []} />
      <Section title={requestWords.list}>
        <RequestFilters key={filter.reference} filter={filter} paths={refused.data?.paths ?? []} onChange={change} />
        <CallRows filter={filter} onClear={() => change({ status: '', path: '', key_id: '', reference: '' })} />
      </Section>
    </Page>
  )
}
