import { Button, Checkbox, Group, Modal, NativeSelect } from '@mantine/core'
import { useState } from 'react'
import { typed } from '../../both/form/typed.ts'
import { AmountField } from '../../both/money/amount-field.tsx'
import { cedis, percentAboveNone, readAmount } from '../../both/money/read-amount.ts'
import { sharedWords } from '../../both/words.ts'
import { packageWords as words } from '../words/packages.ts'
import { type GridPackage, type PackageEdit, type PriceRole, priceRoles } from './package-calls.ts'
import css from './packages.module.css'

/** The packages to change: the ticked ones, all of a network, or all. */
export type Chosen = { readonly ids: readonly string[] } | { readonly network: GridPackage['network'] } | 'all'

const titleOf = (chosen: Chosen): string => {
  if (chosen === 'all') return words.shiftOf.all
  return 'ids' in chosen ? words.shiftOf.ticked(chosen.ids.length) : words.shiftOf.network(chosen.network)
}

const steps = [1, 5, 10] as const

type Fields = {
  readonly roles: readonly PriceRole[]
  readonly direction: 'up' | 'down'
  readonly amount: string
  readonly unit: 'percent' | 'amount'
  readonly roundTo: (typeof steps)[number]
}

const atFirst: Fields = { roles: priceRoles, direction: 'up', amount: '', unit: 'percent', roundTo: 5 }

const kinds = { percent: percentAboveNone, amount: cedis } as const

/** The edit of the fields; undefined while one is missing. */
function editOf(chosen: Chosen, { roles, direction, amount, unit, roundTo }: Fields): PackageEdit | undefined {
  const { amount: by } = readAmount(amount, kinds[unit])
  if (by === undefined || roles.length === 0) return undefined
  const signed = direction === 'up' ? by : -by
  const of = chosen === 'all' ? {} : 'ids' in chosen ? { package_ids: [...chosen.ids] } : { network: chosen.network }
  return {
    shift: { ...of, roles: [...roles], round_to: roundTo, ...(unit === 'percent' ? { percent: signed } : { amount: signed }) },
  }
}

type FormProps = { readonly fields: Fields; readonly set: (change: Partial<Fields>) => void }

function HowMuch({ fields, set }: FormProps) {
  const { direction, amount, unit, roundTo } = fields
  return (
    <div className={css.row}>
      <NativeSelect
        label={words.direction}
        data={Object.entries(words.directions).map(([value, label]) => ({ value, label }))}
        {...typed(direction, (value) => set({ direction: value === 'down' ? 'down' : 'up' }))}
      />
      <AmountField kind={kinds[unit]} label={words.by} required text={amount} onText={(typed) => set({ amount: typed })} />
      <NativeSelect
        label={words.unit}
        data={Object.entries(words.units).map(([value, label]) => ({ value, label }))}
        {...typed(unit, (value) => set({ unit: value === 'amount' ? 'amount' : 'percent' }))}
      />
      <NativeSelect
        label={words.roundTo}
        data={steps.map((step) => ({ value: String(step), label: words.pesewas(step) }))}
        {...typed(String(roundTo), (value) => set({ roundTo: steps.find((step) => String(step) === value) ?? 5 }))}
      />
    </div>
  )
}

type Props = {
  readonly chosen: Chosen
  readonly onClose: () => void
  readonly onEdit: (edit: PackageEdit, title: string) => void
}

/** The dialog that changes many prices by one amount or percentage. The next dialog shows the result. */
export function ShiftForm({ chosen, onClose, onEdit }: Props) {
  const [fields, setFields] = useState(atFirst)
  const set = (change: Partial<Fields>) => setFields((before) => ({ ...before, ...change }))
  const edit = editOf(chosen, fields)
  const title = titleOf(chosen)
  return (
    <Modal opened onClose={onClose} title={<b>{words.shiftTitle}</b>}>
      <form
        className={css.form}
        onSubmit={(event) => {
          event.preventDefault()
          if (edit) onEdit(edit, `${words.shift}: ${title}`)
        }}
      >
        <b>{title}</b>
        <Checkbox.Group
          label={words.whose}
          value={[...fields.roles]}
          onChange={(roles) => set({ roles: priceRoles.filter((role) => roles.includes(role)) })}
        >
          <Group mt={4}>
            {priceRoles.map((role) => (
              <Checkbox key={role} value={role} label={words.roles[role]} />
            ))}
          </Group>
        </Checkbox.Group>
        <HowMuch fields={fields} set={set} />
        {!edit && <span className={css.note}>{words.nothingChosen}</span>}
        <Group grow>
          <Button variant="default" onClick={onClose}>
            {sharedWords.cancel}
          </Button>
          <Button type="submit" disabled={!edit}>
            {words.see}
          </Button>
        </Group>
      </form>
    </Modal>
  )
}
