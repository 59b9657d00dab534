import { Checkbox, Stack, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { answerOf, api } from '../../both/api/call-api.ts'
import type { components } from '../../both/api/dashboard-api.d.ts'
import { Act } from '../../both/form/act.tsx'
import { Section } from '../../both/layout/page.tsx'
import { Asked } from '../../both/layout/wait.tsx'
import { type Column, TableOrCards } from '../../both/list/table-or-cards.tsx'
import { useMay } from '../me.ts'
import { numberWords as words } from '../words/numbers.ts'
import css from './numbers.module.css'

type Prefix = components['schemas']['NumberPrefix']

const named = (networks: readonly string[]): string => (networks.length === 0 ? words.none : networks.join(', '))

type ChooseProps = {
  readonly all: readonly string[]
  readonly chosen: readonly string[]
  readonly set: (chosen: string[]) => void
}

function ChooseNetworks({ all, chosen, set }: ChooseProps) {
  return (
    <Checkbox.Group label={words.networks} value={[...chosen]} onChange={set}>
      <Stack mt={8} gap={8}>
        {all.map((network) => (
          <Checkbox key={network} value={network} label={network} />
        ))}
      </Stack>
    </Checkbox.Group>
  )
}

const setPrefix = (prefix: string, networks: readonly string[]) =>
  answerOf(() =>
    api.PUT('/desk/api/numbers/prefixes/{prefix}', { params: { path: { prefix } }, body: { networks: [...networks] } }),
  )

function ChangePrefix({ row, all }: { readonly row: Prefix; readonly all: readonly string[] }) {
  const [chosen, setChosen] = useState<readonly string[]>(row.networks)
  return (
    <Act
      label={words.change}
      button={{ size: 'compact-sm', 'aria-label': `${words.change} ${row.prefix}` }}
      question={words.changeQuestion(row.prefix)}
      action={words.save}
      topics={['numbers']}
      run={() => setPrefix(row.prefix, chosen)}
    >
      <div className={css.form}>
        <ChooseNetworks all={all} chosen={chosen} set={setChosen} />
        <b>{words.nowThen(named(row.networks), named(chosen))}</b>
        <p>{words.help}</p>
      </div>
    </Act>
  )
}

function AddPrefix({ all }: { readonly all: readonly string[] }) {
  const [prefix, setPrefixText] = useState('')
  const [chosen, setChosen] = useState<readonly string[]>([])
  return (
    <Act
      label={words.add}
      question={words.addQuestion}
      action={words.save}
      topics={['numbers']}
      run={() => setPrefix(prefix.trim(), chosen)}
      onDone={() => {
        setPrefixText('')
        setChosen([])
      }}
    >
      <div className={css.form}>
        <TextInput
          label={words.prefix}
          description={words.prefixHelp}
          inputMode="numeric"
          required
          pattern="0[0-9]{2}"
          maxLength={3}
          value={prefix}
          onChange={({ currentTarget }) => setPrefixText(currentTarget.value)}
        />
        <ChooseNetworks all={all} chosen={chosen} set={setChosen} />
        <p>{words.help}</p>
      </div>
    </Act>
  )
}

export function PrefixSection() {
  const mayChange = useMay('manage_catalogue')
  const query = useQuery({
    queryKey: ['numbers', 'prefixes'],
    queryFn: ({ signal }) => answerOf(() => api.GET('/desk/api/numbers/prefixes', { signal })),
  })
  const all = query.data?.networks
  const columns = useMemo(
    (): readonly Column<Prefix>[] => [
      { title: words.prefix, show: ({ prefix }) => prefix, isMain: true },
      { title: words.networks, show: ({ networks }) => named(networks) },
      ...(mayChange && all
        ? [{ title: words.change, show: (row: Prefix) => <ChangePrefix row={row} all={all} />, isFigure: true }]
        : []),
    ],
    [all, mayChange],
  )
  return (
    <Section title={words.prefixes}>
      <div className={css.bar}>
        <p className={css.soft}>{words.prefixesHelp}</p>
        {mayChange && all && <AddPrefix all={all} />}
      </div>
      <Asked query={query}>
        {({ prefixes }) => (
          <TableOrCards label={words.prefixes} columns={columns} rows={prefixes} keyOf={({ prefix }) => prefix} />
        )}
      </Asked>
    </Section>
  )
}
