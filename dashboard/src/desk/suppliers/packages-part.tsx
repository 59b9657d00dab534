import { Button } from '@mantine/core'
import type { Schema } from '../../both/api/call-api.ts'
import { useRead } from '../../both/api/use-read.ts'
import { fieldWords } from '../../both/field-words.ts'
import { Empty, Failure } from '../../both/layout/query-states.tsx'
import { State, type Tone } from '../../both/list/state.tsx'
import { type Column, TableOrCards } from '../../both/list/table-or-cards.tsx'
import { formatGhs } from '../../both/money/format-ghs.ts'
import { packagesWords } from '../words/suppliers.ts'
import { ScrollBox } from './scroll-box.tsx'

type Compared = Schema<'SupplierPackages'>['packages'][number]

const tones: Readonly<Record<Compared['result'], Tone>> = {
  same: 'done',
  cost_differs: 'wait',
  code_differs: 'fail',
  not_theirs: 'fail',
  not_ours: 'plain',
}

const sideOf = (cost: number | null, code: string | null) =>
  cost === null ? fieldWords.none : `${formatGhs(cost)} · ${packagesWords.code} ${code ?? fieldWords.none}`

const columns: readonly Column<Compared>[] = [
  { title: fieldWords.package, show: ({ network, volume_gb: volume }) => `${network} ${volume} GB`, isMain: true },
  {
    title: fieldWords.state,
    show: ({ result, is_closed: isClosed }) => (
      <State tone={tones[result]}>
        {packagesWords.results[result]}
        {isClosed && ` (${packagesWords.closed})`}
      </State>
    ),
  },
  { title: fieldWords.theirs, show: ({ cost_theirs: cost, code_theirs: code }) => sideOf(cost, code), isFigure: true },
  { title: fieldWords.ours, show: ({ cost_ours: cost, code_ours: code }) => sideOf(cost, code), isFigure: true },
]

/** A supplier's own price list beside ours, read only when somebody asks for it. */
export function PackagesPart({ supplier }: { readonly supplier: string }) {
  const query = useRead(
    'supplier-packages',
    '/desk/api/suppliers/{supplier}/packages',
    { supplier },
    { enabled: false, retry: false },
  )
  const packages = query.data?.packages
  const differing = packages?.filter(({ result }) => result !== 'same' && result !== 'not_ours').length ?? 0
  return (
    <>
      <p className="soft fine">{packagesWords.help}</p>
      <Button mt={8} mb={12} size="compact-sm" variant="light" loading={query.isFetching} onClick={() => void query.refetch()}>
        {packagesWords.ask}
      </Button>
      {query.isError && <Failure error={query.error} />}
      {packages?.length === 0 && <Empty title={fieldWords.priceList}>{packagesWords.empty}</Empty>}
      {packages && packages.length > 0 && (
        <>
          <p role="status">
            <b>{packagesWords.summary(differing, packages.length)}</b>
          </p>
          <ScrollBox label={fieldWords.priceList}>
            <TableOrCards
              label={fieldWords.priceList}
              columns={columns}
              rows={packages}
              keyOf={({ network, volume_gb: volume }) => `${network}/${volume}`}
            />
          </ScrollBox>
        </>
      )}
    </>
  )
}
