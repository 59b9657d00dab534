import { Button, NativeSelect, Switch, TextInput } from '@mantine/core'
import { useState } from 'react'
import { fieldWords } from '../../both/field-words.ts'
import { AmountField } from '../../both/money/amount-field.tsx'
import { type AmountKind, cedis, count, gigabytes, readAmount } from '../../both/money/read-amount.ts'
import { roleNames } from '../../both/role-words.ts'
import { packageWords as words } from '../words/packages.ts'
import { type GridPackage, type PackageEdit, priceRoles } from './package-calls.ts'
import css from './packages.module.css'

type Cells = NonNullable<PackageEdit['cells']>[number]

/** The texts of the form's fields, by the names of the fields. */
type Fields = Readonly<Record<string, string>>

type Props = {
  /** The package to change; undefined for a new one. */
  readonly row: GridPackage | undefined
  readonly networks: readonly GridPackage['network'][]
  readonly suppliers: readonly string[]
  readonly mayChange: boolean
  readonly onEdit: (edit: PackageEdit, title: string) => void
}

function fieldsOf(row: GridPackage | undefined, networks: Props['networks']): Fields {
  if (!row) return { network: networks[0] ?? '', size: '', customer: '', agent: '', dealer: '', stock: '', isOn: 'yes' }
  const { prices, stock, is_available: isOn, offers } = row
  return {
    ...Object.fromEntries(priceRoles.map((role) => [role, prices[role].toFixed(2)])),
    stock: stock === null ? '' : String(stock),
    isOn: isOn ? 'yes' : 'no',
    ...Object.fromEntries(
      offers.flatMap(({ supplier, code, cost }) => [
        [`code ${supplier}`, code],
        [`cost ${supplier}`, cost.toFixed(2)],
      ]),
    ),
  }
}

/** The kind of number in a field: sizes in GB, stock as a count, prices and costs in GHS. */
function kindOf(name: string): AmountKind {
  if (name === 'size') return gigabytes
  return name === 'stock' ? count : cedis
}

/**
 * The cells that the form changes: those that differ from the stored package, or all of a new one. Undefined when none differs,
 * or when a needed text is missing or unreadable.
 */
function cellsOf(row: GridPackage | undefined, fields: Fields, before: Fields): Cells | undefined {
  const isChanged = (name: string) => fields[name] !== before[name]
  const numberOf = (name: string) => readAmount(fields[name] ?? '', kindOf(name)).amount
  const volumeGb = row?.volume_gb ?? numberOf('size')
  const suppliers = [...new Set(Object.keys(fields).flatMap((name) => (/^(code|cost) /.test(name) ? [name.slice(5)] : [])))]
  const changed = suppliers.filter((supplier) => isChanged(`code ${supplier}`) || isChanged(`cost ${supplier}`))
  const isEmpty = (supplier: string) => fields[`code ${supplier}`] === '' && fields[`cost ${supplier}`] === ''
  const isWrong =
    volumeGb === undefined ||
    priceRoles.some((role) => numberOf(role) === undefined) ||
    changed.some((each) => !isEmpty(each) && (fields[`code ${each}`] === '' || numberOf(`cost ${each}`) === undefined)) ||
    (fields['stock'] !== '' && numberOf('stock') === undefined)
  if (isWrong || (Object.keys(fields).every((name) => !isChanged(name)) && row)) return undefined
  return {
    network: row?.network ?? (fields['network'] as GridPackage['network']),
    volume_gb: volumeGb,
    ...Object.fromEntries(priceRoles.flatMap((role) => (isChanged(role) ? [[`price_${role}`, numberOf(role)]] : []))),
    ...(isChanged('isOn') && { is_available: fields['isOn'] === 'yes' }),
    ...(isChanged('stock') && { stock: numberOf('stock') ?? null }),
    offers: changed
      .filter((supplier) => !isEmpty(supplier))
      .map((supplier) => ({
        supplier,
        code: fields[`code ${supplier}`] ?? '',
        cost: numberOf(`cost ${supplier}`) ?? 0,
      })),
    offers_removed: row ? changed.filter(isEmpty) : [],
  }
}

type PartProps = Pick<Props, 'row' | 'mayChange'> & {
  readonly fields: Fields
  readonly set: (name: string, value: string) => void
}

function Field({
  name,
  label,
  fields,
  set,
  mayChange,
  ...more
}: PartProps & { readonly name: string; readonly label: string } & object) {
  const shared = { label, disabled: !mayChange, ...more }
  const change = (value: string) => set(name, value)
  if (name.startsWith('code ')) {
    return <TextInput {...shared} value={fields[name] ?? ''} onChange={({ currentTarget }) => change(currentTarget.value)} />
  }
  return <AmountField {...shared} kind={kindOf(name)} text={fields[name] ?? ''} onText={change} />
}

function Offers({ suppliers, ...part }: PartProps & Pick<Props, 'suppliers'>) {
  const named = suppliers.filter((supplier) => part.fields[`code ${supplier}`] !== undefined)
  const others = suppliers.filter((supplier) => !named.includes(supplier))
  return (
    <>
      {named.map((supplier) => (
        <div key={supplier} className={css.row}>
          <Field {...part} name={`code ${supplier}`} label={words.code(supplier)} />
          <Field {...part} name={`cost ${supplier}`} label={words.costOf(supplier)} />
        </div>
      ))}
      {part.mayChange && others.length > 0 && (
        <NativeSelect
          label={words.offerOf}
          data={['', ...others]}
          value=""
          onChange={({ currentTarget }) => {
            if (currentTarget.value === '') return
            part.set(`code ${currentTarget.value}`, '')
            part.set(`cost ${currentTarget.value}`, '')
          }}
        />
      )}
    </>
  )
}

/** The prices, stock and offers of a package. The effect of a change is shown before it is made. */
export function PackageForm({ row, networks, suppliers, mayChange, onEdit }: Props) {
  const before = fieldsOf(row, networks)
  const [typed, setTyped] = useState<Fields>({})
  const fields = { ...before, ...typed }
  const set = (name: string, value: string) => setTyped((known) => ({ ...known, [name]: value }))
  const cells = cellsOf(row, fields, row ? before : {})
  const part = { row, fields, set, mayChange }
  return (
    <form
      className={css.form}
      onSubmit={(event) => {
        event.preventDefault()
        if (cells) onEdit({ cells: [cells] }, `${cells.network} ${cells.volume_gb}GB`)
      }}
    >
      {!row && (
        <div className={css.row}>
          <NativeSelect
            label={fieldWords.network}
            data={[...networks]}
            value={fields['network']}
            onChange={({ currentTarget }) => set('network', currentTarget.value)}
          />
          <Field {...part} name="size" label={words.size} />
        </div>
      )}
      <div className={css.row}>
        {priceRoles.map((role) => (
          <Field key={role} {...part} name={role} label={words.price(roleNames[role])} />
        ))}
      </div>
      <div className={css.row}>
        <Field {...part} name="stock" label={words.stock} {...{ description: words.stockHelp }} />
        <Switch
          label={fieldWords.onSale}
          checked={fields['isOn'] === 'yes'}
          disabled={!mayChange}
          onChange={({ currentTarget }) => set('isOn', currentTarget.checked ? 'yes' : 'no')}
        />
      </div>
      <Offers {...part} suppliers={suppliers} />
      {mayChange && (
        <Button type="submit" disabled={!cells}>
          {words.see}
        </Button>
      )}
    </form>
  )
}
