import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import { type ApiRefusal, answerOf, api } from '../../both/api/call-api.ts'
import type { components } from '../../both/api/dashboard-api.d.ts'
import { CopyText } from '../../both/copy-text.tsx'
import { Section } from '../../both/layout/page.tsx'
import { Empty, Failure } from '../../both/layout/wait.tsx'
import { AmountField } from '../../both/money/amount-field.tsx'
import { ConfirmMoney } from '../../both/money/confirm-money.tsx'
import { formatGhs } from '../../both/money/format-ghs.ts'
import { countFromOne, readAmount } from '../../both/money/read-amount.ts'
import { isPriceChanged, newReference } from '../../both/money/use-reference.ts'
import { cleanPhone } from '../../both/phones.ts'
import { buyWords } from '../words/buy.ts'
import { Bought } from './bought.tsx'
import css from './buy.module.css'
import { BuyFoot } from './buy-foot.tsx'
import { BuyPage } from './buy-page.tsx'
import { Chips } from './chips.tsx'
import { Shop } from './shop.tsx'
import { UnknownPurchase } from './unknown-purchase.tsx'
import { useKeptPurchase } from './use-kept-purchase.ts'

type VoucherShop = components['schemas']['VoucherShop']
type Purchase = {
  readonly typeId: string
  readonly quantity: number
  readonly reference: string
  /** The price of all of them, as it was shown. */
  readonly price: number
  readonly recipientPhone?: string
}
type VouchersBought = components['schemas']['VoucherPurchase']

const buy = (body: Purchase) => answerOf(() => api.POST('/app/api/vouchers/purchase', { body }))

function useVoucherPurchase() {
  const purchase = useKeptPurchase<Purchase, VouchersBought>('vouchers', buy)
  const [bought, setBought] = useState<VouchersBought>()
  const [refusal, setRefusal] = useState<ApiRefusal>()
  const take = (outcome: Awaited<ReturnType<typeof purchase.buy>>) => {
    if (!outcome) return undefined
    const refused = 'refusal' in outcome ? outcome.refusal : undefined
    setBought('answer' in outcome ? outcome.answer : undefined)
    setRefusal(refused)
    return refused
  }
  return {
    bought,
    refusal,
    unknown: purchase.kept,
    isBusy: purchase.isBusy,
    /** @returns the refusal, if any */
    buy: async (body: Purchase) => take(await purchase.buy(body)),
    again: async () => take(await purchase.again()),
    clear: () => setBought(undefined),
  }
}

/** Shows the vouchers, to be read out, copied or handed on. */
function VoucherList({ bought }: { readonly bought: VouchersBought }) {
  const text = bought.vouchers
    .map(({ pin, serial_number }) => `${bought.order.type_name}\n${buyWords.pin}: ${pin}\n${buyWords.serial}: ${serial_number}`)
    .join('\n\n')
  return (
    <Section title={buyWords.yours}>
      <ul className={css.lines} aria-label={buyWords.yours}>
        {bought.vouchers.map(({ id, pin, serial_number }) => (
          <li key={id}>
            <p>
              <span className={css.pin}>{pin}</span>
              <br />
              {buyWords.serial} {serial_number}
            </p>
            <CopyText text={pin} />
          </li>
        ))}
      </ul>
      <div className={css.actions}>
        <CopyText text={text} label={buyWords.copyAll} />
        {'share' in navigator && (
          <Button variant="light" onClick={() => void navigator.share({ text }).catch(() => undefined)}>
            {buyWords.share}
          </Button>
        )}
      </div>
      <p className={css.hint}>{buyWords.shownAgain}</p>
    </Section>
  )
}

function usePicked(types: VoucherShop['types'], shop: VoucherShop) {
  const [typeId, setType] = useState(types.find(({ available_count }) => available_count > 0)?.type_id)
  const [written, setWritten] = useState('1')
  const [phone, setPhone] = useState('')
  const type = types.find(({ type_id }) => type_id === typeId)
  const most = Math.min(type?.available_count ?? 0, shop.max_quantity ?? Number.POSITIVE_INFINITY)
  const quantity = readAmount(written, countFromOne).amount ?? 0
  const isPhoneGood = phone === '' || /^0\d{9}$/.test(phone)
  return { typeId, setType, written, setWritten, phone, setPhone, type, most, quantity, isPhoneGood }
}

function BuyVouchers({
  shop,
  purchase,
}: {
  readonly shop: VoucherShop
  readonly purchase: ReturnType<typeof useVoucherPurchase>
}) {
  const types = shop.types.filter(({ is_active }) => is_active)
  const { typeId, setType, written, setWritten, phone, setPhone, isPhoneGood, type, most, quantity } = usePicked(types, shop)
  const [isAsking, setAsking] = useState(false)
  const isReady = type !== undefined && quantity > 0 && quantity <= most && isPhoneGood
  const total = isReady ? Math.round(type.price * 100 * quantity) / 100 : 0
  const words = isReady ? `${quantity} × ${type.name}` : buyWords.nothingYet
  const confirm = async () => {
    if (!isReady) return
    const body = { typeId: type.type_id, quantity, price: total, reference: newReference() }
    setAsking(isPriceChanged(await purchase.buy({ ...body, ...(phone && { recipientPhone: phone }) })))
  }
  return (
    <BuyPage
      product="vouchers"
      balance={shop.balance}
      foot={
        <BuyFoot
          what={words}
          total={total}
          balance={shop.balance}
          action={isReady ? buyWords.buyFor(formatGhs(total)) : buyWords.buy}
          isReady={isReady}
          onBuy={() => setAsking(true)}
        />
      }
    >
      {purchase.refusal && !isAsking && <Failure error={purchase.refusal} title={buyWords.refused} />}
      <VoucherTypes types={types} typeId={typeId} onType={setType} />
      <VoucherFields
        quantity={written}
        isTooMany={quantity > most}
        most={most}
        onQuantity={setWritten}
        phone={phone}
        isPhoneGood={isPhoneGood}
        onPhone={setPhone}
      />
      <ConfirmMoney
        isOpen={isAsking}
        question={buyWords.buyQuestion(words)}
        amount={total}
        balanceAfter={Math.round((shop.balance - total) * 100) / 100}
        action={buyWords.buy}
        isBusy={purchase.isBusy}
        refusal={purchase.refusal}
        onConfirm={() => void confirm()}
        onClose={() => setAsking(false)}
      />
    </BuyPage>
  )
}

type VoucherFieldsProps = {
  /** As it is typed. */
  readonly quantity: string
  readonly isTooMany: boolean
  readonly most: number
  readonly onQuantity: (quantity: string) => void
  readonly phone: string
  readonly isPhoneGood: boolean
  readonly onPhone: (phone: string) => void
}

/** The number of vouchers, and a phone number to which they are sent too. */
function VoucherFields({ quantity, isTooMany, most, onQuantity, phone, isPhoneGood, onPhone }: VoucherFieldsProps) {
  return (
    <div className={css.form}>
      <AmountField
        kind={countFromOne}
        label={buyWords.quantity}
        text={quantity}
        error={isTooMany ? buyWords.inStock(most) : undefined}
        onText={onQuantity}
      />
      <TextInput
        label={buyWords.sendTo}
        inputMode="tel"
        autoComplete="off"
        value={phone}
        error={isPhoneGood ? undefined : buyWords.faults.phone}
        onChange={(event) => onPhone(cleanPhone(event.currentTarget.value))}
      />
    </div>
  )
}

type TypesProps = {
  readonly types: VoucherShop['types']
  readonly typeId: string | undefined
  readonly onType: (typeId: string) => void
}

function VoucherTypes({ types, typeId, onType }: TypesProps) {
  if (types.length === 0) return <Empty title={buyWords.noVouchers} />
  return (
    <Chips
      isGrid
      legend={buyWords.kind}
      value={typeId}
      onChoose={onType}
      choices={types.map(({ type_id, name, price, available_count }) => ({
        value: type_id,
        label: name,
        detail: available_count > 0 ? `${price.toFixed(2)} · ${buyWords.inStock(available_count)}` : buyWords.soldOut,
        isOff: available_count === 0,
      }))}
    />
  )
}

function Vouchers({ shop }: { readonly shop: VoucherShop }) {
  const purchase = useVoucherPurchase()
  const { bought, unknown } = purchase
  if (unknown) {
    const name = shop.types.find(({ type_id }) => type_id === unknown.typeId)?.name ?? ''
    return (
      <BuyPage product="vouchers" balance={shop.balance}>
        <UnknownPurchase what={`${unknown.quantity} × ${name}`} isBusy={purchase.isBusy} onAgain={() => void purchase.again()} />
      </BuyPage>
    )
  }
  if (!bought) return <BuyVouchers shop={shop} purchase={purchase} />
  const { order } = bought
  return (
    <BuyPage product="vouchers" balance={bought.new_balance}>
      <Bought
        title={`${order.quantity} × ${order.type_name}`}
        status={order.status}
        paid={order.total_paid}
        onMore={purchase.clear}
      >
        <VoucherList bought={bought} />
      </Bought>
    </BuyPage>
  )
}

/** The form for vouchers. It shows them as soon as they are bought. */
export function VouchersForm() {
  return (
    <Shop product="vouchers" read={(signal) => answerOf(() => api.GET('/app/api/vouchers', { signal }))}>
      {(shop) => <Vouchers shop={shop} />}
    </Shop>
  )
}
