import { fieldWords } from '../../both/field-words.ts'
import { State } from '../../both/list/state.tsx'
import { type Column, TableOrCards } from '../../both/list/table-or-cards.tsx'
import { formatGhs } from '../../both/money/format-ghs.ts'
import look from '../frame/look.module.css'
import { formatLasting, formatPart } from '../words/format-figures.ts'
import { suppliersWords } from '../words/suppliers.ts'
import type { DeskSupplier, FloatPace, Health, HourOfSupplier, SupplierHours } from './ask-suppliers.ts'
import { HourSpark } from './draw-hours.tsx'
import { hoursOf, timesOf } from './hours-of.ts'

/** The state of a supplier. When several apply, the most important one. */
export function SupplierState({ supplier, isLow = false }: { readonly supplier: DeskSupplier; readonly isLow?: boolean }) {
  const { states } = suppliersWords
  const { open_routes: open, paused_routes: paused, role } = supplier
  if (!supplier.is_enabled) return <State tone="plain">{states.disabled}</State>
  if (!supplier.is_usable) return <State tone="fail">{states.unusable}</State>
  if (paused > 0 && open === 0) return <State tone="fail">{states.allPaused}</State>
  if (paused > 0) return <State tone="wait">{states.someRoutes(paused, open + paused)}</State>
  if (isLow) return <State tone="wait">{states.low}</State>
  if (role !== 'registration' && open === 0) return <State tone="plain">{states.noRoute}</State>
  return <State tone="done">{states.good}</State>
}

/** A supplier with its figures of the last day. */
type Row = {
  readonly supplier: DeskSupplier
  readonly health: SupplierHours | undefined
  readonly pace: FloatPace | undefined
  readonly hours: readonly { readonly figures: HourOfSupplier | undefined }[]
}

const columns: readonly Column<Row>[] = [
  { title: fieldWords.supplier, show: ({ supplier }) => supplier.supplier, isMain: true },
  {
    title: fieldWords.state,
    show: ({ supplier, pace }) => <SupplierState supplier={supplier} isLow={pace?.is_low === true} />,
  },
  {
    title: suppliersWords.float,
    show: ({ supplier: { float } }) => (float === null ? fieldWords.none : formatGhs(float)),
    isFigure: true,
  },
  {
    title: fieldWords.lasts,
    show: ({ pace }) => <span className={pace?.is_low ? look.warn : undefined}>{formatLasting(pace?.hours_left ?? null)}</span>,
  },
  { title: fieldWords.delivered, show: ({ health }) => formatPart(health?.success ?? null), isFigure: true },
  {
    title: suppliersWords.day,
    show: ({ supplier, health, hours }) =>
      health ? (
        <HourSpark
          label={`${supplier.supplier}: ${fieldWords.delivered} ${formatPart(health.success)}`}
          parts={hours.map(({ figures }) => figures?.success ?? null)}
        />
      ) : (
        fieldWords.none
      ),
  },
  { title: suppliersWords.answer, show: ({ health }) => timesOf(health, 'answer'), isFigure: true },
  { title: suppliersWords.delivery, show: ({ health }) => timesOf(health, 'delivery'), isFigure: true },
]

/** Beside the panel the table has room for its first five columns only. */
const narrowColumns = columns.slice(0, 5)

type Props = {
  readonly suppliers: readonly DeskSupplier[]
  readonly health: Health | undefined
  readonly selected: string | undefined
  readonly onSelect: (supplier: string) => void
}

export function SuppliersTable({ suppliers, health, selected, onSelect }: Props) {
  const rows = suppliers.map((supplier): Row => {
    const own = health?.suppliers.find((each) => each.supplier === supplier.supplier)
    return {
      supplier,
      health: own,
      pace: health?.floats.find((each) => each.supplier === supplier.supplier),
      hours: health && own ? hoursOf(health.from, 24, own.by_hour) : [],
    }
  })
  return (
    <TableOrCards
      label={fieldWords.suppliers}
      columns={selected === undefined ? columns : narrowColumns}
      rows={rows}
      keyOf={({ supplier }) => supplier.supplier}
      selectedKey={selected}
      onSelect={({ supplier }) => onSelect(supplier.supplier)}
    />
  )
}
