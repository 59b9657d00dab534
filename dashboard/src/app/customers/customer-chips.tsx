import { useRead } from '../../both/api/use-read.ts'
import { isPhone } from '../../both/phones.ts'
import { customerWords } from '../words/customers.ts'
import css from './customers.module.css'
import { choosePhoneContacts, hasPhoneContacts } from './phone-contacts.ts'

const chipsMax = 5

type Props = {
  /** Adds numbers to the form. */
  readonly onNumbers: (numbers: readonly string[]) => void
}

/**
 * The first customers, and a button for the phone's contacts, so that nobody types a known number. Shows nothing if there are
 * neither.
 */
export default function CustomerChips({ onNumbers }: Props) {
  const { data } = useRead('customers', '/app/api/customers', {}, { staleTime: 60_000 })
  const chips = (data?.customers ?? []).flatMap(({ customer_id: id, name, numbers }) => {
    const number = numbers.find(isPhone)
    return number === undefined ? [] : [{ id, name, number }]
  })
  if (chips.length === 0 && !hasPhoneContacts) return null
  const fromPhone = async () => onNumbers((await choosePhoneContacts(true)).flatMap(({ numbers }) => numbers.slice(0, 1)))
  return (
    <ul className={css.chips} aria-label={customerWords.choose}>
      {chips.slice(0, chipsMax).map(({ id, name, number }) => (
        <li key={id}>
          <button type="button" className={css.chip} onClick={() => onNumbers([number])}>
            {name}
          </button>
        </li>
      ))}
      {hasPhoneContacts && (
        <li>
          <button type="button" className={css.chip} onClick={() => void fromPhone()}>
            {customerWords.fromPhone}
          </button>
        </li>
      )}
    </ul>
  )
}
