import { TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { get, type Schema } from '../../both/api/call-api.ts'
import { fieldWords } from '../../both/field-words.ts'
import { Form } from '../../both/form/form.tsx'
import { bindText } from '../../both/form/typed.ts'
import { Card } from '../../both/layout/page.tsx'
import { Empty } from '../../both/layout/query-states.tsx'
import { AmountField } from '../../both/money/amount-field.tsx'
import { formatGhs } from '../../both/money/format-ghs.ts'
import { cedis } from '../../both/money/read-amount.ts'
import { cleanPhone, groupDigits, isPhone } from '../../both/phones.ts'
import { buyWords } from '../words/buy.ts'
import css from './buy.module.css'
import { Chips } from './chips.tsx'

type BillShop = Schema<'BillShop'>
type Biller = BillShop['billers'][number]
type LookUp = Schema<'UtilityLookup'>

/** A customer's account at the biller, and the amount to pay for it. */
export type FoundBill = {
  readonly account: string
  readonly phone: string | undefined
  readonly name: string | null
  readonly due: number | null
  readonly bouquet: string | null
  /** The text of the field, not yet read as a number. */
  readonly amount: string
  /** The moment of the look-up, in milliseconds. */
  readonly at: number
}

/** After this time the account must be looked up again, because the amount due may have changed. */
const foundMilliseconds = 30 * 60_000
export const isFresh = ({ at }: FoundBill): boolean => Date.now() - at < foundMilliseconds

export type TypedBill = {
  readonly biller: string
  readonly account: string
  readonly phone: string
  readonly found?: FoundBill | undefined
}

const dueAsAmount = (due: number | null): string => (due !== null && due > 0 ? due.toFixed(2) : '')

type Props = {
  readonly biller: Biller
  readonly shop: BillShop
  readonly typed: TypedBill
  readonly onTyped: (changed: Partial<TypedBill>) => void
}

/**
 * Asks the biller whose account a number is. For a biller that looks up by phone, asks for the meters of a phone number. An answer
 * that comes after the question was reset, or after another one, is dropped.
 */
function useLookUp({ biller, typed: { account: written, phone }, onTyped }: Props) {
  const account = written.trim()
  const isByPhone = biller.lookup_by === 'phone'
  const phoneSent = biller.requires_phone ? phone : undefined
  const lookUp = useMutation({
    mutationFn: () =>
      get('/app/api/bills/account', { biller: biller.key, account: isByPhone ? phone : account, phone: phoneSent }),
  })
  const onSuccess = ({ account_name, account_number, amount_due, bouquet }: LookUp) => {
    if (isByPhone) return
    const known = { account: account_number ?? account, name: account_name, due: amount_due, bouquet }
    onTyped({ found: { ...known, phone: phoneSent, amount: dueAsAmount(amount_due), at: Date.now() } })
  }
  // An `onSuccess` of the mutation itself would also run for an answer that is not waited for any more.
  return { ...lookUp, mutate: () => lookUp.mutate(undefined, { onSuccess }) }
}

/** Scrolls the result into view. On a phone, the form's foot may cover it. */
const showWhole = (found: HTMLElement | null) => found?.scrollIntoView({ block: 'nearest' })

/** Shows whose account a number is and what is due, and asks the person for the amount. */
export function BillAccount(props: Props) {
  const { biller, shop, onTyped } = props
  const { account, phone, found } = props.typed
  const isByPhone = biller.lookup_by === 'phone'
  const lookUp = useLookUp(props)
  const onFound = (chosen: FoundBill) => onTyped({ found: chosen })
  const change = (changed: Partial<TypedBill>) => {
    lookUp.reset()
    onTyped({ ...changed, found: undefined })
  }
  return (
    <div className={css.form}>
      <Form
        sending={lookUp}
        action={buyWords.lookUp}
        isReady={(isByPhone || account.trim() !== '') && (!biller.requires_phone || isPhone(phone))}
        button={{ variant: 'light' }}
      >
        {!isByPhone && (
          <TextInput
            label={biller.account_label}
            inputMode="numeric"
            autoComplete="off"
            maxLength={30}
            {...bindText(account, (text) => change({ account: text }))}
          />
        )}
        {biller.requires_phone && (
          <TextInput
            label={buyWords.phone}
            description={buyWords.phoneHint}
            inputMode="tel"
            autoComplete="off"
            {...bindText(phone, (text) => change({ phone: cleanPhone(text) }))}
          />
        )}
      </Form>
      {(lookUp.data || found) && (
        <div className={css.form} ref={lookUp.data && showWhole}>
          {lookUp.data && isByPhone && <Meters meters={lookUp.data.meters} phone={phone} found={found} onFound={onFound} />}
          {found && <Amount found={found} shop={shop} onFound={onFound} />}
        </div>
      )}
    </div>
  )
}

type FoundProps = { readonly found: FoundBill | undefined; readonly onFound: (found: FoundBill) => void }
type MetersProps = FoundProps & { readonly meters: LookUp['meters']; readonly phone: string }

/** The meters of a phone number, of which the person chooses one. */
function Meters({ meters, phone, found, onFound }: MetersProps) {
  if (meters.length === 0) return <Empty title={buyWords.noMeters} />
  return (
    <Chips
      legend={buyWords.meter}
      value={found?.account}
      onChoose={(number) => {
        const meter = meters.find(({ meterNumber }) => meterNumber === number)
        if (!meter) return
        const { name, outstanding } = meter
        onFound({
          account: number,
          phone,
          name,
          due: outstanding,
          bouquet: null,
          amount: dueAsAmount(outstanding),
          at: Date.now(),
        })
      }}
      choices={meters.map(({ meterNumber, name }) => ({ value: meterNumber, label: `${groupDigits(meterNumber)} · ${name}` }))}
    />
  )
}

/** The customer's name, what is due, and the amount to pay. */
function Amount({ found, shop, onFound }: Pick<Props, 'shop'> & FoundProps & { readonly found: FoundBill }) {
  const { name, account, due, bouquet, amount } = found
  return (
    <>
      <Card>
        <div className={css.legend}>{buyWords.holder}</div>
        <b>{name ?? account}</b>
        {due !== null && (
          <p>
            {due < 0 ? buyWords.credit : buyWords.due}: <b>{formatGhs(Math.abs(due))}</b>
          </p>
        )}
        {bouquet !== null && (
          <p>
            {buyWords.bouquet}: {bouquet}
          </p>
        )}
      </Card>
      <AmountField
        kind={cedis}
        label={fieldWords.amountGhs}
        description={buyWords.amountOf(formatGhs(shop.min_amount), formatGhs(shop.max_amount))}
        text={amount}
        onText={(text) => onFound({ ...found, amount: text })}
      />
    </>
  )
}
