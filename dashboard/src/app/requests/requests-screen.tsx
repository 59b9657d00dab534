import { Button } from '@mantine/core'
import type { Schema } from '../../both/api/call-api.ts'
import { usePages, useRead } from '../../both/api/use-read.ts'
import { fieldWords } from '../../both/field-words.ts'
import { Page, Section } from '../../both/layout/page.tsx'
import { choicesOf, FilterBar, readFilters } from '../../both/list/filter-bar.tsx'
import { PagedRows } from '../../both/list/paged-rows.tsx'
import { Row } from '../../both/list/rows.tsx'
import { useFilters } from '../../both/list/use-filters.ts'
import { relativeMoment } from '../../both/moments/format-moment.ts'
import { useKeys } from '../keys/key-type.ts'
import { keyWords } from '../words/keys.ts'
import { requestWords } from '../words/requests.ts'
import { RefusedGroups, StatusState } from './refused-groups.tsx'
import css from './requests.module.css'

type Call = Schema<'CallList'>['calls'][number]
const requestFilterNames = ['status', 'path', 'key_id', 'reference'] as const

/** The filters of the list: the answer, one of the endpoints that were called, one of the keys, a reference. */
function useRequestFilters(paths: readonly string[]) {
  const keys = useKeys().data?.keys ?? []
  const live = keys.flatMap(({ type, key }) =>
    key ? [{ value: key.key_id, label: `${keyWords.types[type]} …${key.hint}` }] : [],
  )
  return {
    status: { label: requestWords.status, options: choicesOf(requestWords.statuses), any: requestWords.allStatuses },
    path: {
      label: requestWords.path,
      options: paths.map((path) => ({ value: path, label: path })),
      any: requestWords.allPaths,
      isOpen: true,
    },
    key_id: { label: fieldWords.key, options: live, any: requestWords.allKeys, isOpen: true },
    reference: { label: fieldWords.reference, lengthMax: 100 },
  }
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

/** The calls of the account's keys: the refused ones on top, then all of them with filters. */
export default function RequestsScreen() {
  const { data: { refused = [], paths = [] } = {} } = useRead('requests', '/app/api/requests/refused')
  const fields = useRequestFilters(paths)
  const { filters: given, setFilters } = useFilters(requestFilterNames)
  const filters = readFilters(fields, given)
  const clear = () => setFilters(Object.fromEntries(requestFilterNames.map((name) => [name, ''])))
  const isFiltered = Object.keys(filters).length > 0
  return (
    <Page title={fieldWords.requestLog}>
      <p className="soft fine">{requestWords.intro}</p>
      <RefusedGroups groups={refused} />
      <Section title={requestWords.list}>
        <FilterBar label={fieldWords.filters} fields={fields} filters={filters} onShow={setFilters} action={fieldWords.find} />
        <PagedRows
          query={usePages('requests', '/app/api/requests', filters)}
          itemsOf={({ calls }) => calls}
          keyOf={({ call_id }) => call_id}
          label={requestWords.list}
          more={fieldWords.showOlder}
          empty={
            isFiltered
              ? {
                  title: requestWords.emptyFiltered,
                  next: (
                    <Button variant="light" mt={8} onClick={clear}>
                      {fieldWords.clearFilters}
                    </Button>
                  ),
                }
              : { title: requestWords.empty, next: requestWords.emptyDetail }
          }
          row={(call) => <CallRow call={call} />}
        />
      </Section>
    </Page>
  )
}
