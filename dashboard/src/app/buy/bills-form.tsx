import { useState } from 'react'
import type { ApiRefusal } from '../../both/api/call-api.ts'
import { answerOf, api } from '../../both/api/call-api.ts'
import type { components } from '../../both/api/dashboard-api.d.ts'
import { Failure } from '../../both/layout/wait.tsx'
import { ConfirmMoney } from '../../both/money/confirm-money.tsx'
import { formatGhs } from '../../both/money/format-ghs.ts'
import { cedis, readAmount } from '../../both/money/read-amount.ts'
import { newReference } from '../../both/money/use-reference.ts'
import { buyWords } from '../words/buy.ts'
import { BillAccount, type FoundBill } from './bill-account.tsx'
import { Bought } from './bought.tsx'
import { BuyFoot } from './buy-foot.tsx'
import { BuyPage } from './buy-page.tsx'
import { Chips } from './chips.tsx'
import { Shop } from './shop.tsx'
import { UnknownPurchase } from './unknown-purchase.tsx'
import { useKeptPurchase } from './use-kept-purchase.ts'

type BillShop = components['schemas']['BillShop']
type Payment = Omit<components['schemas']['UtilityPayBody'], 'reference'> & { readonly reference: string }
type Paid = { readonly status: string; readonly amount: number; readonly balance: number | undefined; readonly body: Payment }

const pay = async (body: Payment): Promise<Paid> => {
  const answer = await answerOf(() => api.POST('/app/api/bills/pay', { body }))
  const balance = 'new_balance' in answer ? answer.new_balance : undefined
  return { status: answer.status, amount: body.amount, balance, body }
}

const wordsOf = ({ biller, account, amount }: Payment, shop: BillShop) =>
  `${shop.billers.find(({ key }) => key === biller)?.label ?? biller} ${account}, ${formatGhs(amount)}`

function usePayment() {
  const purchase = useKeptPurchase<Payment, Paid>('bills', pay)
  const [paid, setPaid] = useState<Paid>()
  const [refusal, setRefusal] = useState<ApiRefusal>()
  const take = (outcome: Awaited<ReturnType<typeof purchase.buy>>) => {
    if (!outcome) return
    setPaid('answer' in outcome ? outcome.answer : undefined)
    setRefusal('refusal' in outcome ? outcome.refusal : undefined)
  }
  return {
    paid,
    refusal,
    unknown: purchase.kept,
    isBusy: purchase.isBusy,
    pay: async (body: Payment) => take(await purchase.buy(body)),
    again: async () => take(await purchase.again()),
    clear: () => setPaid(undefined),
  }
}

function PayBill({ shop, payment }: { readonly shop: BillShop; readonly payment: ReturnType<typeof usePayment> }) {
  const [billerKey, setBiller] = useState(shop.billers.find(({ enabled }) => enabled)?.key)
  const biller = shop.billers.find(({ key }) => key === billerKey)
  const [found, setFound] = useState<FoundBill>()
  const [isAsking, setAsking] = useState(false)
  const { amount } = readAmount(found?.amount ?? '', cedis)
  const isReady = found !== undefined && amount !== undefined && amount >= shop.min_amount && amount <= shop.max_amount
  const confirm = async () => {
    if (!biller || !found || amount === undefined) return
    const { account, phone } = found
    await payment.pay({ biller: biller.key, account, ...(phone !== undefined && { phone }), amount, reference: newReference() })
    setAsking(false)
  }
  return (
    <BuyPage
      product="bills"
      balance={shop.balance}
      foot={
        <BuyFoot
          what={found ? (found.name ?? found.account) : buyWords.nothingYet}
          total={isReady ? amount : 0}
          balance={shop.balance}
          action={isReady ? buyWords.payFor(formatGhs(amount)) : buyWords.pay}
          isReady={isReady}
          onBuy={() => setAsking(true)}
        />
      }
    >
      {payment.refusal && <Failure error={payment.refusal} title={buyWords.refused} />}
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
      <ConfirmMoney
        isOpen={isAsking}
        question={buyWords.payQuestion(found?.name ?? found?.account ?? '')}
        amount={amount ?? 0}
        balanceAfter={Math.round(shop.balance * 100 - (amount ?? 0) * 100) / 100}
        action={buyWords.pay}
        isBusy={payment.isBusy}
        onConfirm={() => void confirm()}
        onClose={() => setAsking(false)}
      />
    </BuyPage>
  )
}

function Bills({ shop }: { readonly shop: BillShop }) {
  const payment = usePayment()
  const { paid, unknown } = payment
  if (unknown) {
    return (
      <BuyPage product="bills" balance={shop.balance}>
        <UnknownPurchase what={wordsOf(unknown, shop)} isBusy={payment.isBusy} onAgain={() => void payment.again()} />
      </BuyPage>
    )
  }
  if (!paid) return <PayBill shop={shop} payment={payment} />
  return (
    <BuyPage product="bills" balance={paid.balance ?? shop.balance}>
      <Bought title={wordsOf(paid.body, shop)} status={paid.status} paid={paid.amount} onMore={payment.clear} />
    </BuyPage>
  )
}

/** The form for bills. It shows whose account it is and what is due before anything is paid. */
export default function BillsForm() {
  return (
    <Shop product="bills" read={(signal) => answerOf(() => api.GET('/app/api/bills', { signal }))}>
      {(shop) => <Bills shop={shop} />}
    </Shop>
  )
}
