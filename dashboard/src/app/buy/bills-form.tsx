import { useState } from 'react'
import { get, post, type Schema } from '../../both/api/call-api.ts'
import { formatGhs } from '../../both/money/format-ghs.ts'
import { cedis, readAmount } from '../../both/money/read-amount.ts'
import { newReference } from '../../both/money/use-reference.ts'
import { buyWords } from '../words/buy.ts'
import { BillAccount, type FoundBill } from './bill-account.tsx'
import { Bought, BoughtOrder } from './bought.tsx'
import { BuyForm } from './buy-form.tsx'
import { Chips } from './chips.tsx'
import { ProductScreen } from './product-screen.tsx'
import type { KeptPurchase } from './use-kept-purchase.ts'

type BillShop = Schema<'BillShop'>
type Payment = Omit<Schema<'UtilityPayBody'>, 'reference'> & { readonly reference: string }
type Paid = { readonly status: string; readonly balance: number | undefined; readonly body: Payment }

const pay = async (body: Payment): Promise<Paid> => {
  const answer = await post('/app/api/bills/pay', body)
  return { status: answer.status, balance: 'new_balance' in answer ? answer.new_balance : undefined, body }
}

const wordsOf = ({ biller, account, amount }: Payment, shop: BillShop) =>
  `${shop.billers.find(({ key }) => key === biller)?.label ?? biller} ${account}, ${formatGhs(amount)}`

function PayBill({ shop, purchase }: { readonly shop: BillShop; readonly purchase: KeptPurchase<Payment, Paid> }) {
  const [billerKey, setBiller] = useState(shop.billers.find(({ enabled }) => enabled)?.key)
  const biller = shop.billers.find(({ key }) => key === billerKey)
  const [found, setFound] = useState<FoundBill>()
  const { amount = 0 } = readAmount(found?.amount ?? '', cedis)
  const whom = found?.name ?? found?.account
  const isReady = biller !== undefined && found !== undefined && amount >= shop.min_amount && amount <= shop.max_amount
  const body = isReady
    ? () => ({
        biller: biller.key,
        account: found.account,
        ...(found.phone !== undefined && { phone: found.phone }),
        amount,
        reference: newReference(),
      })
    : undefined
  return (
    <BuyForm
      product="bills"
      balance={shop.balance}
      what={whom ?? buyWords.nothingYet}
      total={amount}
      purchase={purchase}
      question={buyWords.payQuestion(whom ?? '')}
      body={body}
    >
      <Chips
        legend={buyWords.biller}
        value={billerKey}
        onChoose={(value) => {
          setBiller(value as typeof billerKey)
          setFound(undefined)
        }}
        choices={shop.billers.map(({ key, label, enabled }) => ({
          value: key,
          label,
          isOff: !enabled,
          ...(!enabled && { detail: buyWords.billerOff }),
        }))}
      />
      {biller && <BillAccount key={biller.key} biller={biller} shop={shop} found={found} onFound={setFound} />}
    </BuyForm>
  )
}

/** The form for bills. It shows whose account it is and what is due before anything is paid. */
export default function BillsForm() {
  return (
    <ProductScreen
      product="bills"
      read={(signal) => get('/app/api/bills', {}, signal)}
      send={pay}
      wordsOf={wordsOf}
      result={({ status, body }, onMore, shop) => (
        <Bought paid={body.amount} onMore={onMore}>
          <BoughtOrder title={wordsOf(body, shop)} status={status} />
        </Bought>
      )}
    >
      {(shop, purchase) => <PayBill shop={shop} purchase={purchase} />}
    </ProductScreen>
  )
}
