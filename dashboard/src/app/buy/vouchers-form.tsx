import { TextInput } from '@mantine/core'
import { get, post, type Schema } from '../../both/api/call-api.ts'
import { bindText } from '../../both/form/typed.ts'
import { Section } from '../../both/layout/page.tsx'
import { Empty } from '../../both/layout/query-states.tsx'
import { AmountField } from '../../both/money/amount-field.tsx'
import { ghsOf, pesewasOf } from '../../both/money/format-ghs.ts'
import { countFromOne, readAmount } from '../../both/money/read-amount.ts'
import { newReference } from '../../both/money/use-reference.ts'
import { cleanPhone, isPhone } from '../../both/phones.ts'
import { VoucherList } from '../orders/voucher-list.tsx'
import { useSavedFields } from '../use-saved-fields.ts'
import { buyWords } from '../words/buy.ts'
import { Bought, BoughtOrder } from './bought.tsx'
import css from './buy.module.css'
import { BuyForm } from './buy-form.tsx'
import { Chips } from './chips.tsx'
import { ProductScreen } from './product-screen.tsx'
import type { PurchaseState } from './use-kept-purchase.ts'

type VoucherShop = Schema<'VoucherShop'>
type Purchase = {
  readonly typeId: string
  readonly quantity: number
  readonly reference: string
  /** The price of all vouchers together, as the screen showed it. */
  readonly price: number
  readonly recipientPhone?: string
}
type VouchersBought = Schema<'VoucherPurchase'> & { readonly balance: number }

const buy = async (body: Purchase): Promise<VouchersBought> => {
  const bought = await post('/app/api/vouchers/purchase', body)
  return { ...bought, balance: bought.new_balance }
}

type BuyProps = { readonly shop: VoucherShop; readonly purchase: PurchaseState<Purchase, VouchersBought> }

function BuyVouchers({ shop, purchase }: BuyProps) {
  const types = shop.types.filter(({ is_active }) => is_active)
  const [{ typeId, written, phone }, change] = useSavedFields('buy.vouchers', { typeId: '', written: '1', phone: '' })
  const type = types.find(({ type_id }) => type_id === typeId) ?? types.find(({ available_count }) => available_count > 0)
  const most = Math.min(type?.available_count ?? 0, shop.max_quantity ?? Number.POSITIVE_INFINITY)
  const quantity = readAmount(written, countFromOne).amount ?? 0
  const isPhoneGood = phone === '' || isPhone(phone)
  const isReady = type !== undefined && quantity > 0 && quantity <= most && isPhoneGood
  const total = isReady ? ghsOf(pesewasOf(type.price) * quantity) : 0
  const words = isReady ? `${quantity} × ${type.name}` : (type?.name ?? buyWords.soldOut)
  const body = isReady
    ? () => ({
        typeId: type.type_id,
        quantity,
        price: total,
        reference: newReference(),
        ...(phone && { recipientPhone: phone }),
      })
    : undefined
  return (
    <BuyForm
      product="vouchers"
      balance={shop.balance}
      what={words}
      total={total}
      purchase={purchase}
      question={buyWords.buyQuestion(words)}
      goods={isReady ? [{ product: 'results_checker', item: type.name, cost: total, quantity }] : []}
      to={phone === '' ? [] : [{ number: phone, detail: buyWords.bySms }]}
      body={body}
    >
      <VoucherTypes types={types} typeId={type?.type_id} onType={(chosen) => change({ typeId: chosen })} />
      <div className={css.form}>
        <AmountField
          kind={countFromOne}
          label={buyWords.quantity}
          text={written}
          error={quantity > most ? buyWords.inStock(most) : undefined}
          onText={(text) => change({ written: text })}
        />
        <TextInput
          label={buyWords.sendTo}
          inputMode="tel"
          autoComplete="off"
          error={isPhoneGood ? undefined : buyWords.phoneFault}
          {...bindText(phone, (text) => change({ phone: cleanPhone(text) }))}
        />
      </div>
    </BuyForm>
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

/** The form for vouchers. It shows them as soon as they are bought. */
export default function VouchersForm() {
  return (
    <ProductScreen
      product="vouchers"
      read={(signal) => get('/app/api/vouchers', {}, signal)}
      send={buy}
      result={({ order, vouchers }, shown) => (
        <Bought orders={[{ order_id: order.id, status: order.status, paid: order.total_paid }]} {...shown}>
          <BoughtOrder title={`${order.quantity} × ${order.type_name}`} order={{ order_id: order.id, status: order.status }} />
          <Section title={buyWords.yours}>
            <VoucherList label={buyWords.yours} name={order.type_name} vouchers={vouchers} />
            <p className={css.hint}>{buyWords.shownAgain}</p>
          </Section>
        </Bought>
      )}
    >
      {(shop, purchase) => <BuyVouchers shop={shop} purchase={purchase} />}
    </ProductScreen>
  )
}
