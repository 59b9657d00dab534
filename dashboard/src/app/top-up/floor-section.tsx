import { put, remove, type Schema } from '../../both/api/call-api.ts'
import { useRead } from '../../both/api/use-read.ts'
import { fieldWords } from '../../both/field-words.ts'
import { Act } from '../../both/form/act.tsx'
import { ActNow } from '../../both/form/act-now.tsx'
import { Card, Section } from '../../both/layout/page.tsx'
import { formatGhs } from '../../both/money/format-ghs.ts'
import { cedis } from '../../both/money/read-amount.ts'
import { cleanPhone, groupDigits, isPhone } from '../../both/phones.ts'
import { useMay } from '../me.ts'
import { floorWords, topUpWords } from '../words/top-up.ts'
import css from './top-up.module.css'

type Floor = Schema<'BalanceFloor'>

const topics = ['balance-floor']
/** The choices for how many times a day the phone may be asked. */
const mosts = [1, 2, 3, 5, 10]

function Choose({ asked: { floor }, lastPhone }: { readonly asked: Floor; readonly lastPhone: string | null }) {
  const phone = floor?.phone ?? lastPhone ?? ''
  return (
    <Act
      label={floor ? fieldWords.change : floorWords.setUp}
      question={floor ? floorWords.changeQuestion : floorWords.setUpQuestion}
      action={floor ? fieldWords.save : floorWords.confirm}
      fields={{
        floor: { kind: 'amount', of: cedis, label: floorWords.floor, initial: floor?.floor },
        amount: { kind: 'amount', of: cedis, label: floorWords.amount, help: floorWords.feeAdded, initial: floor?.amount },
        phone: {
          kind: 'text',
          label: floorWords.phone,
          initial: groupDigits(phone),
          inputMode: 'tel',
          autoComplete: 'tel-national',
          isNeeded: true,
          problem: (text: string) => (text === '' || isPhone(cleanPhone(text)) ? undefined : topUpWords.phoneWrong),
        },
        most: {
          kind: 'choice',
          label: floorWords.most,
          options: mosts.map((most) => ({ value: String(most), label: floorWords.times(most) })),
          initial: String(floor?.most_per_day ?? 3),
        },
      }}
      run={(_reason, { floor: below, amount, phone: number, most }) => {
        const wish = { floor: below, amount, phone: cleanPhone(number), most_per_day: Number(most) }
        return put('/app/api/balance-floor', wish)
      }}
      topics={topics}
    />
  )
}

function Chosen({ floor }: { readonly floor: NonNullable<Floor['floor']> }) {
  const { phone, most_per_day: most, chosen_by: person } = floor
  return (
    <>
      <p>{floorWords.on(formatGhs(floor.floor), groupDigits(phone), formatGhs(floor.amount), most)}</p>
      <p className={css.help}>{floorWords.chosenBy(person)}</p>
    </>
  )
}

/**
 * The balance below which a phone is asked to pay a top-up. Without a floor, it is shown only to people who may set one, and
 * only where a gateway can ask a phone.
 */
export default function FloorSection({ lastPhone }: { readonly lastPhone: string | null }) {
  const { data: asked } = useRead('balance-floor', '/app/api/balance-floor')
  const mayChange = useMay('manage_account')
  if (!asked || (asked.floor === null && !(asked.is_offered && mayChange))) return null
  return (
    <Section title={floorWords.title}>
      <Card>
        {asked.floor ? <Chosen floor={asked.floor} /> : <p>{floorWords.off}</p>}
        <p className={css.help}>{asked.is_offered ? floorWords.rest(asked.rest_hours) : floorWords.closed}</p>
        {mayChange && (
          <div className={css.moves}>
            {asked.is_offered && <Choose asked={asked} lastPhone={lastPhone} />}
            {asked.floor && (
              <ActNow
                variant="default"
                label={floorWords.switchOff}
                run={() => remove('/app/api/balance-floor', {})}
                topics={topics}
              />
            )}
          </div>
        )}
      </Card>
    </Section>
  )
}
