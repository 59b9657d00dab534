import { Button, NativeSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useKeys } from '../keys/key-type.ts'
import { requestWords } from '../words/requests.ts'
import css from './requests.module.css'

/** The filters of the list. The address holds them, so that a link shows the same list. */
export type RequestFilter = {
  readonly status: string
  readonly path: string
  readonly key_id: string
  readonly reference: string
}

type Props = {
  readonly filter: RequestFilter
  readonly paths: readonly string[]
  readonly onChange: (filter: RequestFilter) => void
}

export function RequestFilters({ filter, paths, onChange }: Props) {
  const [reference, setReference] = useState(filter.reference)
  const keys = useKeys().data?.keys ?? []
  const live = keys.flatMap(({ type, key }) =>
    key ? [{ value: key.key_id, label: `${requestWords.keyNames[type]} …${key.hint}` }] : [],
  )
  return (
    <form
      className={css.filters}
      aria-label={requestWords.filters}
      onSubmit={(event) => {
        event.preventDefault()
        onChange({ ...filter, reference: reference.trim() })
      }}
    >
      <NativeSelect
        label={requestWords.status}
        value={filter.status}
        onChange={(event) => onChange({ ...filter, status: event.currentTarget.value })}
        data={Object.entries(requestWords.statuses).map(([value, label]) => ({ value, label }))}
      />
      <NativeSelect
        label={requestWords.path}
        value={filter.path}
        onChange={(event) => onChange({ ...filter, path: event.currentTarget.value })}
        data={[{ value: '', label: requestWords.allPaths }, ...paths]}
      />
      <NativeSelect
        label={requestWords.key}
        value={filter.key_id}
        onChange={(event) => onChange({ ...filter, key_id: event.currentTarget.value })}
        data={[{ value: '', label: requestWords.allKeys }, ...live]}
      />
      <TextInput
        label={requestWords.reference}
        value={reference}
        maxLength={100}
        autoCapitalize="none"
        onChange={(event) => setReference(event.currentTarget.value)}
      />
      <Button type="submit" variant="light" className={css.find ?? ''}>
        {requestWords.find}
      </Button>
    </form>
  )
}
