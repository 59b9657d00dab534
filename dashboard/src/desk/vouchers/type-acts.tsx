import { post, type Schema } from '../../both/api/call-api.ts'
import { fieldWords } from '../../both/field-words.ts'
import { Act } from '../../both/form/act.tsx'
import { formatGhs } from '../../both/money/format-ghs.ts'
import { cedis, count } from '../../both/money/read-amount.ts'
import look from '../frame/look.module.css'
import { voucherWords } from '../words/vouchers.ts'
import css from './vouchers.module.css'

export type VoucherType = Schema<'DeskVoucherType'>
type Change = Omit<Schema<'ChangeVoucherTypeBody'>, 'reason'>

const roles = [
  ['price_customer', voucherWords.customer],
  ['price_agent', voucherWords.agent],
  ['price_dealer', voucherWords.dealer],
] as const

const mark = (initial: number) => ({ kind: 'amount', of: count, label: voucherWords.lowMark, initial }) as const
const price = (role: string, initial?: number) =>
  ({ kind: 'amount', of: cedis, label: voucherWords.price(role), initial }) as const

/** The price fields of a form. They begin with the prices of the given type, or empty for a new type. */
const priceFields = (type?: VoucherType) => ({
  price_customer: price(voucherWords.customer, type?.price_customer),
  price_agent: price(voucherWords.agent, type?.price_agent),
  price_dealer: price(voucherWords.dealer, type?.price_dealer),
})

const sendChange = (type_id: string, change: Change, reason: string) =>
  post('/desk/api/vouchers/types/{type_id}', { type_id, ...change, reason })

export function NewType() {
  return (
    <Act
      label={voucherWords.newType}
      question={voucherWords.newQuestion}
      action={voucherWords.make}
      topics={['vouchers']}
      button={{ variant: 'filled' }}
      fields={{
        name: { kind: 'text', label: fieldWords.name, isNeeded: true, lengthMax: 100 },
        ...priceFields(),
        low_stock_count: mark(10),
      }}
      run={(_reason, given) => post('/desk/api/vouchers/types', given)}
    />
  )
}

function ChangePrices({ type }: { readonly type: VoucherType }) {
  return (
    <Act
      label={voucherWords.changePrices}
      question={voucherWords.pricesQuestion(type.name)}
      reason="needed"
      topics={['vouchers']}
      fields={priceFields(type)}
      run={(reason, prices) => sendChange(type.type_id, prices, reason)}
      effect={(prices) => (
        <>
          <ul className={css.changes}>
            {roles.map(([name, role]) => {
              const after = prices[name]
              if (after === undefined || after === type[name]) return null
              return (
                <li key={name}>
                  {role}: {formatGhs(type[name])} → <b>{formatGhs(after)}</b>
                </li>
              )
            })}
          </ul>
          <p className="soft fine">{voucherWords.fromNow}</p>
        </>
      )}
    />
  )
}

function ChangeMark({ type }: { readonly type: VoucherType }) {
  return (
    <Act
      label={voucherWords.changeMark}
      question={voucherWords.markQuestion(type.name)}
      reason="needed"
      topics={['vouchers', 'alarms']}
      button={{ variant: 'default' }}
      fields={{ low_stock_count: mark(type.low_stock_count) }}
      run={(reason, change) => sendChange(type.type_id, change, reason)}
    />
  )
}

export function TypeActs({ type }: { readonly type: VoucherType }) {
  const { type_id: typeId, name, is_active: isOn } = type
  return (
    <div className={look.acts}>
      <ChangePrices key={`${type.price_customer} ${type.price_agent} ${type.price_dealer}`} type={type} />
      <ChangeMark key={type.low_stock_count} type={type} />
      <Act
        key={`${isOn}`}
        label={isOn ? voucherWords.takeOff : voucherWords.putOn}
        question={isOn ? voucherWords.takeOffQuestion(name) : voucherWords.putOnQuestion(name)}
        reason="needed"
        isGrave={isOn}
        topics={['vouchers', 'alarms']}
        button={{ variant: 'default' }}
        run={(reason) => sendChange(typeId, { is_active: !isOn }, reason)}
      >
        {isOn && <p>{voucherWords.takeOffHelp}</p>}
      </Act>
    </div>
  )
}
