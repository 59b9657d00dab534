import { useCallback } from 'react'
import { useRead } from '../../both/api/use-read.ts'
import { fieldWords } from '../../both/field-words.ts'
import { ListWithPanel } from '../../both/layout/beside.tsx'
import { Big, Page, Section } from '../../both/layout/page.tsx'
import { Empty, QueryAnswer } from '../../both/layout/query-states.tsx'
import { State } from '../../both/list/state.tsx'
import { type Column, TableOrCards } from '../../both/list/table-or-cards.tsx'
import { useFilters } from '../../both/list/use-filters.ts'
import { formatCount, formatGhs } from '../../both/money/format-ghs.ts'
import { Figures } from '../frame/figures.tsx'
import { Facts, Panel } from '../frame/panel.tsx'
import { useMay } from '../me.ts'
import { frameWords } from '../words/frame.ts'
import { voucherWords } from '../words/vouchers.ts'
import { Batches } from './batches.tsx'
import { FindVoucher } from './find-voucher.tsx'
import { ImportVouchers } from './import-vouchers.tsx'
import { NewType, TypeActs, type VoucherType } from './type-acts.tsx'
import css from './vouchers.module.css'

/** A bar is full when the stock lasts at least this long. */
const fullDays = 30

function TypeState({ type }: { readonly type: VoucherType }) {
  if (!type.is_active) return <State tone="plain">{voucherWords.isOff}</State>
  return type.is_low ? <State tone="wait">{fieldWords.low}</State> : <State tone="done">{fieldWords.onSale}</State>
}

/** How long the stock lasts, drawn and in words. */
function Lasts({ type: { days_left: days, is_low: isLow } }: { readonly type: VoucherType }) {
  const share = days === null ? 1 : Math.min(1, days / fullDays)
  return (
    <span className={css.lasts}>
      <svg className={isLow ? css.low : undefined} viewBox="0 0 60 6" width="60" height="6" aria-hidden="true">
        <rect width="60" height="6" rx="3" />
        {days !== null && <rect className={css.filled} width={Math.max(2, share * 60)} height="6" rx="3" />}
      </svg>
      {voucherWords.days(days)}
    </span>
  )
}

const columns: readonly Column<VoucherType>[] = [
  { title: fieldWords.type, isMain: true, show: ({ name }) => name },
  { title: fieldWords.state, show: (type) => <TypeState type={type} /> },
  { title: voucherWords.leftColumn, isFigure: true, show: ({ available_count }) => <b>{formatCount(available_count)}</b> },
  { title: fieldWords.lasts, show: (type) => <Lasts type={type} /> },
  { title: voucherWords.sold, isFigure: true, show: ({ sold_7_days }) => formatCount(sold_7_days) },
  { title: voucherWords.customer, isFigure: true, show: ({ price_customer }) => formatGhs(price_customer) },
  { title: voucherWords.agent, isFigure: true, show: ({ price_agent }) => formatGhs(price_agent) },
  { title: voucherWords.dealer, isFigure: true, show: ({ price_dealer }) => formatGhs(price_dealer) },
]
/** The columns beside the panel, which shows the prices itself. */
const fewColumns = columns.slice(0, 5)

const sum = (types: readonly VoucherType[], of: (type: VoucherType) => number) =>
  types.reduce((total, type) => total + of(type), 0)

function StockFigures({ types }: { readonly types: readonly VoucherType[] }) {
  const low = types.filter((type) => type.is_low)
  return (
    <Figures
      label={voucherWords.figures}
      figures={[
        { label: voucherWords.left, value: formatCount(sum(types, (type) => type.available_count)) },
        { label: voucherWords.sold, value: formatCount(sum(types, (type) => type.sold_7_days)) },
        { label: voucherWords.onSale, value: formatCount(types.filter((type) => type.is_active).length) },
        {
          label: voucherWords.lowTypes,
          value: formatCount(low.length),
          detail: low.length === 0 ? voucherWords.allGood : low.map(({ name }) => name).join(', '),
          tone: low.length === 0 ? 'good' : 'warn',
        },
      ]}
    />
  )
}

function TypePanel({ type }: { readonly type: VoucherType }) {
  const mayChange = useMay('manage_stock')
  return (
    <Panel title={type.name}>
      <Big label={voucherWords.left} value={formatCount(type.available_count)} />
      <p className={css.states}>
        <TypeState type={type} /> <Lasts type={type} />
      </p>
      <Facts
        label={voucherWords.changePrices}
        facts={{
          [voucherWords.customer]: formatGhs(type.price_customer),
          [voucherWords.agent]: formatGhs(type.price_agent),
          [voucherWords.dealer]: formatGhs(type.price_dealer),
        }}
      />
      {mayChange && <TypeActs type={type} />}
      {mayChange && <ImportVouchers type={type} />}
      <Batches type={type} />
    </Panel>
  )
}

/** The stock of vouchers: how long it lasts, its prices and imports, and a search for single vouchers. */
export default function VouchersScreen() {
  const mayChange = useMay('manage_stock')
  const { filters, setFilters } = useFilters(['type', 'find'])
  const select = useCallback(({ type_id }: VoucherType) => setFilters({ type: type_id }), [setFilters])
  const stock = useRead('vouchers', '/desk/api/vouchers')
  const chosen = stock.data?.types.find(({ type_id }) => type_id === filters.type)
  return (
    <Page title={frameWords.vouchers} isWide end={mayChange && <NewType />}>
      <ListWithPanel
        label={voucherWords.panel}
        panel={chosen && <TypePanel key={chosen.type_id} type={chosen} />}
        onClose={() => setFilters({ type: '' })}
      >
        <QueryAnswer query={stock}>
          {({ types }) =>
            types.length === 0 ? (
              <Empty title={voucherWords.none}>{voucherWords.noneHelp}</Empty>
            ) : (
              <>
                <StockFigures types={types} />
                <Section title={voucherWords.types}>
                  <TableOrCards
                    label={voucherWords.types}
                    columns={chosen ? fewColumns : columns}
                    rows={types}
                    keyOf={({ type_id }) => type_id}
                    onSelect={select}
                    selectedKey={chosen?.type_id}
                  />
                </Section>
              </>
            )
          }
        </QueryAnswer>
        <FindVoucher key={filters.find ?? ''} text={filters.find ?? ''} onFind={(find) => setFilters({ find })} />
      </ListWithPanel>
    </Page>
  )
}
