import { Button, NativeSelect, TextInput } from '@mantine/core'
import { type ChangeEvent, type FormEvent, type ReactNode, useEffect, useRef } from 'react'
import { fieldWords } from '../field-words.ts'
import css from './filter-bar.module.css'

export type Choice<Value extends string = string> = { readonly value: Value; readonly label: string }

export type FilterField = {
  readonly label: string
  /** True: only screen readers get the label, because the placeholder says enough. */
  readonly isLabelHidden?: boolean
  /** The values to choose from. Without them, the field takes a typed text. */
  readonly options?: readonly Choice[]
  /** True: a value that is not among the options stays chosen, and is shown as an option. */
  readonly isOpen?: boolean
  /** The option for no filter. Absent: the first option is the default, and is not in the address. */
  readonly any?: string
  readonly type?: 'search' | 'date'
  readonly placeholder?: string
  readonly lengthMax?: number
  /** The only views of the list that have this filter. */
  readonly views?: readonly string[]
}

/** The filters of a list by their names in the address. */
export type FilterFields = Readonly<Record<string, FilterField>>

export type FilterValues<F extends FilterFields> = {
  readonly [Name in keyof F]?: F[Name] extends { readonly options: readonly { readonly value: infer Value }[] } ? Value : string
}

/**
 * Reads the filters in the address. Leaves out values that their field does not offer, unless it `isOpen`. In a field without
 * `any`, also leaves out the first option, because it is the default.
 */
export function readFilters<F extends FilterFields>(
  fields: F,
  given: Readonly<Partial<Record<string, string>>>,
): FilterValues<F> {
  const known = Object.entries(fields).filter(([name, { options, any, isOpen }]) => {
    if (given[name] === undefined) return false
    const place = options?.findIndex(({ value }) => value === given[name])
    return place === -1 ? isOpen : place !== 0 || any !== undefined
  })
  return Object.fromEntries(known.map(([name]) => [name, given[name]])) as FilterValues<F>
}

/** Makes a choice of each word. The word's key is the value. */
export const choicesOf = <Value extends string>(words: Readonly<Record<Value, string>>): Choice<Value>[] =>
  (Object.keys(words) as Value[]).map((value) => ({ value, label: words[value] }))

type FieldProps = { readonly name: string; readonly field: FilterField; readonly value: string | undefined }

function Field({ name, field, value = '' }: FieldProps) {
  const { label, isLabelHidden, options, any, type, placeholder, lengthMax = 254 } = field
  const select = useRef<HTMLSelectElement>(null)
  const input = useRef<HTMLInputElement>(null)
  // When the address changes, the field shows its filter. It does so again when the options have come, because a value can be
  // shown only once its option is there.
  const count = options?.length
  useEffect(() => {
    const shown = select.current ?? input.current
    if (shown) shown.value = value
  }, [value, count])
  if (options) {
    const isOther = value !== '' && !options.some((option) => option.value === value)
    const first =
      any === undefined ? options.slice(0, 1).map((option) => ({ ...option, value: '' })) : [{ value: '', label: any }]
    const others = any === undefined ? options.slice(1) : options
    return (
      <NativeSelect
        ref={select}
        label={label}
        name={name}
        defaultValue={value}
        data={[...first, ...(isOther ? [{ value, label: value }] : []), ...others]}
      />
    )
  }
  return (
    <TextInput
      ref={input}
      {...(placeholder !== undefined && { placeholder })}
      {...(placeholder !== undefined && !isLabelHidden && { className: css.hinted ?? '' })}
      {...(isLabelHidden ? { 'aria-label': label } : { label })}
      name={name}
      defaultValue={value}
      autoComplete="off"
      maxLength={lengthMax}
      {...(type && { type })}
    />
  )
}

type Props = {
  readonly label?: string | undefined
  readonly fields: FilterFields
  /** The present filters, from the address. */
  readonly filters: Readonly<Partial<Record<string, string>>>
  /** Called with the texts of all fields. An empty field gives an empty text. */
  readonly onShow: (values: Readonly<Record<string, string>>) => void
  /** The words of the button; by default "Show". */
  readonly action?: string | undefined
  /** Takes all filters away. Absent while there are none. */
  readonly onClear?: { readonly words: string; readonly clear: () => void } | undefined
  /** Further fields. Each takes effect at once, without the button. */
  readonly children?: ReactNode
  /** At the right: a file, a link. */
  readonly end?: ReactNode
}

/**
 * The filters of a list. A typed filter takes effect when the form is sent, a chosen one at once. When the address changes, the
 * fields show its filters.
 */
export function FilterBar({ label, fields, filters, onShow, action = fieldWords.show, onClear, children, end }: Props) {
  const all = Object.entries(fields)
  const show = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const typed = new FormData(event.currentTarget)
    const textOf = (text: FormDataEntryValue | null) => (typeof text === 'string' ? text.trim() : '')
    onShow(Object.fromEntries(all.map(([name]) => [name, textOf(typed.get(name))])))
  }
  const showChosen = ({ target, currentTarget }: ChangeEvent<HTMLFormElement>) => {
    if ((target as Element) instanceof HTMLSelectElement) currentTarget.requestSubmit()
  }
  return (
    <form className={css.bar} aria-label={label} onSubmit={show} onChange={showChosen}>
      {children}
      {all.map(([name, field]) => (
        <Field key={name} name={name} field={field} value={filters[name]} />
      ))}
      {all.some(([, { options }]) => !options) && (
        <Button type="submit" variant="light">
          {action}
        </Button>
      )}
      {onClear && (
        <Button variant="subtle" onClick={onClear.clear}>
          {onClear.words}
        </Button>
      )}
      {end !== undefined && <span className={css.end}>{end}</span>}
    </form>
  )
}
