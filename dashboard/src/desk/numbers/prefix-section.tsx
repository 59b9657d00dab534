import { useMemo } from 'react'
import { put, type Schema } from '../../both/api/call-api.ts'
import { useRead } from '../../both/api/use-read.ts'
import { fieldWords } from '../../both/field-words.ts'
import { Act } from '../../both/form/act.tsx'
import { Section } from '../../both/layout/page.tsx'
import { QueryAnswer } from '../../both/layout/query-states.tsx'
import { type Column, TableOrCards } from '../../both/list/table-or-cards.tsx'
import { useMay } from '../me.ts'
import { numberWords as words } from '../words/numbers.ts'
import css from './numbers.module.css'

type Prefix = Schema<'NumberPrefix'>

const named = (networks: readonly string[]): string => (networks.length === 0 ? words.none : networks.join(', '))

const networksField = (options: readonly string[], initial: readonly string[]) =>
  ({ kind: 'ticks', label: words.networks, options: options.map((value) => ({ value, label: value })), initial }) as const

function ChangePrefix({ row: { prefix, networks: before }, all }: { readonly row: Prefix; readonly all: readonly string[] }) {
  return (
    <Act
      label={fieldWords.change}
      button={{ size: 'compact-sm', 'aria-label': `${fieldWords.change} ${prefix}` }}
      question={words.changeQuestion(prefix)}
      action={fieldWords.save}
      topics={['numbers']}
      fields={{ networks: networksField(all, before) }}
      run={(_reason, { networks }) => put('/desk/api/numbers/prefixes/{prefix}', { prefix, networks })}
      effect={({ networks }) => (
        <p>
          <b>{fieldWords.becomes(named(before), named(networks))}</b>
          <br />
          {words.help}
        </p>
      )}
    />
  )
}

function AddPrefix({ all }: { readonly all: readonly string[] }) {
  const prefix = {
    kind: 'text',
    label: words.prefix,
    help: words.prefixHelp,
    inputMode: 'numeric',
    isNeeded: true,
    pattern: '0[0-9]{2}',
    lengthMax: 3,
  } as const
  return (
    <Act
      label={words.add}
      question={words.addQuestion}
      action={fieldWords.save}
      topics={['numbers']}
      fields={{ prefix, networks: networksField(all, []) }}
      run={(_reason, given) => put('/desk/api/numbers/prefixes/{prefix}', given)}
      effect={() => <p>{words.help}</p>}
    />
  )
}

export function PrefixSection() {
  const mayChange = useMay('manage_catalogue')
  const query = useRead('numbers', '/desk/api/numbers/prefixes')
  const all = query.data?.networks
  const columns = useMemo(
    (): readonly Column<Prefix>[] => [
      { title: words.prefix, show: ({ prefix }) => prefix, isMain: true },
      { title: words.networks, show: ({ networks }) => named(networks) },
      ...(mayChange && all
        ? [{ title: fieldWords.change, show: (row: Prefix) => <ChangePrefix row={row} all={all} />, isFigure: true }]
        : []),
    ],
    [all, mayChange],
  )
  return (
    <Section title={words.prefixes}>
      <div className={css.bar}>
        <p className="soft fine">{words.prefixesHelp}</p>
        {mayChange && all && <AddPrefix all={all} />}
      </div>
      <QueryAnswer query={query}>
        {({ prefixes }) => (
          <TableOrCards label={words.prefixes} columns={columns} rows={prefixes} keyOf={({ prefix }) => prefix} />
        )}
      </QueryAnswer>
    </Section>
  )
}
