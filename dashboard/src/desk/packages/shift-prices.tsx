import { fieldWords } from '../../both/field-words.ts'
import { Act } from '../../both/form/act.tsx'
import type { Values } from '../../both/form/fields.ts'
import { choicesOf } from '../../both/list/filter-bar.tsx'
import { cedis, percentAboveNone } from '../../both/money/read-amount.ts'
import { roleNames } from '../../both/role-words.ts'
import { packageWords as words } from '../words/packages.ts'
import { type GridPackage, type PackageEdit, priceRoles } from './package-calls.ts'

/** The packages to change: the ticked ones, all of a network, or all. */
export type Chosen = { readonly ids: readonly string[] } | { readonly network: GridPackage['network'] } | 'all'

const titleOf = (chosen: Chosen): string => {
  if (chosen === 'all') return words.shiftOf.all
  return 'ids' in chosen ? words.shiftOf.ticked(chosen.ids.length) : words.shiftOf.network(chosen.network)
}

const steps = [1, 5, 10] as const

const fields = {
  roles: { kind: 'ticks', label: words.whose, options: choicesOf(roleNames), initial: priceRoles },
  direction: { kind: 'choice', label: words.direction, options: choicesOf(words.directions) },
  unit: { kind: 'choice', label: words.unit, options: choicesOf(words.units) },
  by: {
    kind: 'amount',
    label: fieldWords.by,
    of: ({ unit }: { readonly unit?: string }) => (unit === 'amount' ? cedis : percentAboveNone),
  },
  roundTo: {
    kind: 'choice',
    label: words.roundTo,
    options: steps.map((step) => ({ value: String(step), label: words.pesewas(step) })),
    initial: '5',
  },
} as const

/** The change of prices that the form describes. @throws Error when no role is ticked */
function editOf(chosen: Chosen, { roles, direction, unit, by, roundTo }: Values<typeof fields>): PackageEdit {
  if (roles.length === 0) throw new Error(words.nothingChosen)
  const signed = direction === 'up' ? by : -by
  const of = chosen === 'all' ? {} : 'ids' in chosen ? { package_ids: [...chosen.ids] } : { network: chosen.network }
  return {
    shift: {
      ...of,
      roles: priceRoles.filter((role) => roles.includes(role)),
      round_to: steps.find((step) => String(step) === roundTo) ?? 5,
      ...(unit === 'percent' ? { percent: signed } : { amount: signed }),
    },
  }
}

type Props = { readonly chosen: Chosen; readonly onEdit: (edit: PackageEdit, title: string) => void }

/** The button and the dialog to change many prices by one amount or percentage. The next dialog shows what would change. */
export function ShiftPrices({ chosen, onEdit }: Props) {
  const title = titleOf(chosen)
  return (
    <Act
      label={chosen !== 'all' && 'ids' in chosen ? words.shiftTicked(chosen.ids.length) : words.shift}
      question={words.shiftTitle}
      action={words.see}
      button={{ variant: 'filled' }}
      fields={fields}
      run={async (_reason, given) => editOf(chosen, given)}
      topics={[]}
      onDone={(given) => onEdit(editOf(chosen, given), `${words.shift}: ${title}`)}
    >
      <b>{title}</b>
    </Act>
  )
}
