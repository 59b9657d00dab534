import { Button } from '@mantine/core'
import { type ReactNode, useEffect, useState } from 'react'
import { Link, useLocation, useSearch } from 'wouter'
import { useRead } from '../../both/api/use-read.ts'
import { fieldWords } from '../../both/field-words.ts'
import { useIsOnline } from '../../both/layout/offline-banner.tsx'
import { Failure } from '../../both/layout/query-states.tsx'
import { ConfirmMoney } from '../../both/money/confirm-money.tsx'
import { formatGhs, ghsOf, pesewasOf } from '../../both/money/format-ghs.ts'
import { isPriceChanged } from '../../both/money/use-reference.ts'
import { earningOf, type Goods } from '../prices/own-price-of.ts'
import { buyWords } from '../words/buy.ts'
import css from './buy.module.css'
import { addressOf, BuyPage, type Product } from './buy-page.tsx'
import type { Recipient } from './kept-purchases.ts'
import { Recipients } from './recipients.tsx'
import type { PurchaseState } from './use-kept-purchase.ts'

type FootProps = {
  readonly product: Product
  readonly balance: number
  /** The goods: `2 × MTN 5 GB`. Left out while nothing is chosen. */
  readonly what?: string | undefined
  /** Text of the button while something is missing, such as `Choose a bundle`. By default `Buy`. */
  readonly next?: string | undefined
  /** In GHS. */
  readonly total: number
  /** The button to show while nothing can be bought. */
  readonly instead?: { readonly label: string; readonly act: () => void } | undefined
}

/** The balance after a purchase, in GHS; below 0 when the balance is too small for it. */
const leftOf = (balance: number, total: number): number => ghsOf(pesewasOf(balance) - pesewasOf(total))

/** Shows the amount that the wallet lacks, with a link to top up that amount. */
function Short({ product, left }: { readonly product: Product; readonly left: number }) {
  const missing = formatGhs(-left)
  return (
    <>
      <p className={`${css.after} ${css.short}`}>{buyWords.missing(missing)}</p>
      <Button fullWidth component={Link} href={`/top-up?amount=${-left}&back=${addressOf(product)}`}>
        {fieldWords.topUp} {missing}
      </Button>
    </>
  )
}

type FootActs = { readonly isReady: boolean; readonly isBusy: boolean; readonly onBuy: () => void }

/** The lower end of the form: the goods, the price, the button, and the balance after the purchase. */
function Foot({ product, what, next, balance, instead, isReady, isBusy, onBuy, ...props }: FootProps & FootActs) {
  const isOnline = useIsOnline()
  const total = isReady ? props.total : 0
  const left = leftOf(balance, total)
  return (
    <div className={css.foot}>
      {what !== undefined && (
        <div className={css.sum}>
          <span>{what}</span>
          {isReady && <b style={{ whiteSpace: 'nowrap' }}>{formatGhs(total)}</b>}
        </div>
      )}
      {left < 0 ? (
        <Short product={product} left={left} />
      ) : instead && !isReady ? (
        <Button fullWidth variant="light" onClick={instead.act}>
          {instead.label}
        </Button>
      ) : (
        <>
          <Button fullWidth onClick={onBuy} disabled={!isReady || !isOnline} loading={isBusy}>
            {isOnline
              ? isReady
                ? buyWords.actsFor[product](formatGhs(total))
                : (next ?? buyWords.acts[product])
              : buyWords.waitsForConnection}
          </Button>
          {isOnline && isReady && <p className={css.after}>{`${fieldWords.balanceAfter}: ${formatGhs(left)}`}</p>}
          {!isOnline && <p className={css.after}>{buyWords.nothingSent}</p>}
        </>
      )}
    </div>
  )
}

type Props<Body> = FootProps & {
  readonly purchase: Pick<PurchaseState<Body, unknown>, 'refusal' | 'isBusy' | 'buy'>
  /** A last check before the person is asked, and again when the price has changed. False: the person is not asked. */
  readonly prepare?: () => boolean | Promise<boolean>
  /** `Buy 2 × MTN 5 GB?` */
  readonly question: string
  readonly to: readonly Recipient[]
  /** The amount in the question, where the last check may change it. By default the total. */
  readonly amount?: number
  /** Commission that the account gets when the purchase is delivered, in GHS. */
  readonly commission?: number
  /** The goods, named as in the reseller's own prices, from which the reseller's profit follows. */
  readonly goods: readonly Goods[]
  /** True: the same was bought a short time ago. The button then says "again". */
  readonly isAgain?: boolean
  /** Shown in the dialog below the amount. */
  readonly note?: ReactNode
  /** Makes the body of the purchase, once the person has confirmed it. Undefined while nothing can be bought. */
  readonly body: (() => Body) | undefined
  /** The fields of the product. */
  readonly children: ReactNode
}

/** Shows the profit of the sale at the reseller's own prices. Shows nothing if any of the goods has no own price. */
function Earning({ goods }: { readonly goods: readonly Goods[] }) {
  const { data } = useRead('prices', '/app/api/prices', undefined, { staleTime: 60_000 })
  const earning = data && earningOf(data.prices, goods)
  if (!earning) return null
  const { price, profit } = earning
  return profit < 0 ? (
    <p className={css.loss}>{buyWords.sellAtLoss(formatGhs(price), formatGhs(-profit))}</p>
  ) : (
    <p className={css.earns}>{buyWords.sellFor(formatGhs(price), formatGhs(profit))}</p>
  )
}

/** The state of the question before a purchase: whether it is open, and the last check before it. */
function useQuestion(prepare: (() => boolean | Promise<boolean>) | undefined) {
  const [isAsking, setAsking] = useState(false)
  const [isPreparing, setPreparing] = useState(false)
  const [error, setError] = useState<unknown>()
  const ask = async () => {
    setPreparing(true)
    setError(undefined)
    try {
      setAsking(prepare ? await prepare() : true)
    } catch (failure) {
      setAsking(false)
      setError(failure)
    } finally {
      setPreparing(false)
    }
  }
  return { isAsking, setAsking, isPreparing, error, ask }
}

/**
 * Opens the question once without a tap, if the address has `ask`: the person tapped "Buy again" and has seen the goods. Then
 * it removes `ask` from the address, so that a reload does not ask again.
 */
function useAskedAtOnce(isReady: boolean, ask: () => Promise<void>) {
  const [path, navigate] = useLocation()
  const isWanted = new URLSearchParams(useSearch()).has('ask')
  useEffect(() => {
    if (!isWanted || !isReady) return
    navigate(path, { replace: true })
    void ask()
  })
}

/** The form of a product: its fields, the price, the balance after the purchase, and a question before the purchase. */
export function BuyForm<Body>(props: Props<Body>) {
  const {
    product,
    balance,
    amount = props.total,
    commission = 0,
    isAgain = false,
    to,
    purchase,
    prepare,
    question,
    note,
    body,
    goods,
    children,
  } = props
  const left = leftOf(balance, amount)
  const isOnline = useIsOnline()
  const { isAsking, setAsking, isPreparing, error, ask } = useQuestion(prepare)
  useAskedAtOnce(body !== undefined && !isPreparing, ask)
  const confirm = async () => {
    if (!body) return
    // At the new price the person is asked again.
    if (isPriceChanged(await purchase.buy(body(), { what: props.what ?? '', amount, earns: commission, to }))) await ask()
    else setAsking(false)
  }
  return (
    <BuyPage
      product={product}
      balance={balance}
      foot={<Foot {...props} isReady={body !== undefined} isBusy={isPreparing} onBuy={() => void ask()} />}
    >
      {purchase.refusal && !isAsking && <Failure error={purchase.refusal} title={buyWords.refused} />}
      {error !== undefined && <Failure error={error} />}
      {/* What the last check is about must be what is bought, so nothing can be changed while it runs. */}
      <div inert={isPreparing} style={{ display: 'contents' }}>
        {children}
      </div>
      <ConfirmMoney
        isOpen={isAsking}
        question={question}
        recipients={<Recipients to={to} />}
        amount={amount}
        balanceAfter={left < 0 ? undefined : left}
        action={isAgain ? buyWords.payAgain(formatGhs(amount)) : buyWords.pay(formatGhs(amount))}
        isPossible={left >= 0 && isOnline}
        isBusy={purchase.isBusy || isPreparing}
        refusal={purchase.refusal}
        onConfirm={() => void confirm()}
        onClose={() => setAsking(false)}
      >
        <Earning goods={goods} />
        {commission > 0 && <p className={css.earns}>{buyWords.earns(formatGhs(commission))}</p>}
        {left < 0 && <Short product={product} left={left} />}
        {note}
        {!isOnline && <p>{buyWords.nothingSent}</p>}
      </ConfirmMoney>
    </BuyPage>
  )
}
