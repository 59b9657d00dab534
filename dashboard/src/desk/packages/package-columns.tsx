import { fieldWords } from '../../both/field-words.ts'
import { State } from '../../both/list/state.tsx'
import type { Column } from '../../both/list/table-or-cards.tsx'
import { showDay, showTime } from '../../both/moments/format-moment.ts'
import { formatGhs } from '../../both/money/format-ghs.ts'
import { roleNames } from '../../both/role-words.ts'
import { packageWords as words } from '../words/packages.ts'
import { Margin } from './differences.tsx'
import type { GridPackage, PriceRole } from './package-calls.ts'
import css from './packages.module.css'

const bare = (ghs: number) => formatGhs(ghs).replace('GHS ', '')

export const closedOffers = ({ offers }: GridPackage): number => offers.filter(({ closed_at: at }) => at !== null).length
export const isAtLoss = ({ offers }: GridPackage): boolean => offers.some(({ is_loss: isLoss }) => isLoss)

/** The state of a package: on sale or not, and whether it needs attention. */
export function PackageStates({ row }: { readonly row: GridPackage }) {
  const closed = closedOffers(row)
  const { is_available: isOn, supplier, stock, scheduled } = row
  return (
    <span className={css.states}>
      {!isOn && <State tone="plain">{words.states.off}</State>}
      {isOn && supplier === null && <State tone="fail">{words.states.nobody}</State>}
      {isOn && supplier !== null && stock === 0 && <State tone="fail">{words.states.empty}</State>}
      {isOn && supplier !== null && stock !== 0 && <State tone="done">{words.states.on}</State>}
      {isAtLoss(row) && <State tone="fail">{words.states.loss}</State>}
      {closed > 0 && <State tone="wait">{words.states.closed(closed)}</State>}
      {scheduled !== null && <State tone="wait">{words.changesAt(`${showDay(scheduled)}, ${showTime(scheduled)}`)}</State>}
    </span>
  )
}

const priceColumn = (role: PriceRole): Column<GridPackage> => ({
  title: roleNames[role],
  show: ({ prices, margins }) => (
    <span>
      {bare(prices[role])}
      {margins && <Margin ghs={margins[role]} />}
    </span>
  ),
  isFigure: true,
})

const name: Column<GridPackage> = {
  title: fieldWords.package,
  show: ({ network, size }) => `${network} ${size}`,
  isMain: true,
}

const cost: Column<GridPackage> = {
  title: fieldWords.cost,
  show: ({ cost: ghs, supplier }) => (
    <span>
      {ghs === null ? '–' : bare(ghs)}
      <span className={css.note}>{supplier ?? words.noCost}</span>
    </span>
  ),
  isFigure: true,
}

const state: Column<GridPackage> = { title: fieldWords.state, show: (row) => <PackageStates row={row} /> }

/** The columns of the price list; beside the panel there is room for fewer. */
export const packageColumns = {
  all: [name, priceColumn('customer'), priceColumn('agent'), priceColumn('dealer'), cost, state],
  besidePanel: [name, priceColumn('customer'), priceColumn('agent'), priceColumn('dealer')],
} as const satisfies Record<string, readonly Column<GridPackage>[]>
