import { type ReactNode, useState } from 'react'
import { Failure } from '../../both/layout/wait.tsx'
import { ConfirmMoney } from '../../both/money/confirm-money.tsx'
import { formatGhs } from '../../both/money/format-ghs.ts'
import { isPriceChanged } from '../../both/money/use-reference.ts'
import { buyWords } from '../words/buy.ts'
import { BuyFoot } from './buy-foot.tsx'
import { BuyPage, type Product } from './buy-page.tsx'
import { CheckedLines } from './checked-lines.tsx'
import { LineResults } from './line-results.tsx'
import { LinesField } from './lines-field.tsx'
import { UnknownPurchase } from './unknown-purchase.tsx'
import { type Checked, type LinesOf, useCheckedLines } from './use-checked-lines.ts'
import { type KeptOrder, ordersOf, type SendOrders, useLinesPurchase } from './use-lines-purchase.ts'

type Props<Line> = LinesOf<Line> & {
  readonly product: Product
  readonly balance: number
  readonly hint: string
  readonly sizeOf: (line: Line) => number
  /** A slower check right before the purchase, which may take seconds. */
  readonly checkClosely?: (lines: Line[]) => Promise<Checked>
  readonly send: SendOrders
  /** The goods in words: `2 × MTN 5 GB`. */
  readonly wordsOf: (orders: readonly KeptOrder[]) => string
  /** The fields that hold for all lines: the network, the bundle, the amount. */
  readonly children: ReactNode
}

type Confirmed = { readonly checked: Checked; readonly orders: readonly KeptOrder[]; readonly left: number }

/** A purchase for one number or many: choose, write the numbers, see each line checked, confirm, see each line's state. */
export function LinesPurchase<Line>(props: Props<Line>) {
  const { product, send } = props
  const purchase = useLinesPurchase(product, send)
  if (purchase.unknown) {
    return (
      <BuyPage product={product} balance={props.balance}>
        <UnknownPurchase what={purchase.unknown.what} isBusy={purchase.isBusy} onAgain={() => void purchase.again()} />
      </BuyPage>
    )
  }
  if (purchase.bought) {
    return (
      <BuyPage product={product} balance={purchase.bought.balance ?? props.balance}>
        <LineResults results={purchase.bought.results} paid={purchase.bought.paid} onMore={purchase.clear} />
      </BuyPage>
    )
  }
  return <LinesForm {...props} purchase={purchase} />
}

type FormProps<Line> = Props<Line> & { readonly purchase: ReturnType<typeof useLinesPurchase> }

/** Runs `checkClosely` where the product has it, and keeps the lines that the person is asked to confirm. */
function useConfirmation<Line>({ checkClosely, sizeOf }: Props<Line>, checking: ReturnType<typeof useCheckedLines<Line>>) {
  const [confirmed, setConfirmed] = useState<Confirmed>()
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>()
  const open = async () => {
    const { checked: known, lines, places } = checking
    if (!known) return
    setBusy(true)
    setError(undefined)
    try {
      const checked = checkClosely ? await checkClosely(lines) : known
      const orders = ordersOf(checked.lines, lines.map(sizeOf), places)
      setConfirmed({ checked, orders, left: checked.lines.length - orders.length })
    } catch (failure) {
      setError(failure)
    } finally {
      setBusy(false)
    }
  }
  return { confirmed, isBusy, error, open, close: () => setConfirmed(undefined) }
}

function LinesForm<Line>(props: FormProps<Line>) {
  const { product, purchase, networks, wordsOf, sizeOf } = props
  const { text, setText } = purchase
  const checking = useCheckedLines(product, text, props)
  const confirmation = useConfirmation(props, checking)
  const { checked, lines, places } = checking
  const ready = checked?.ready ?? 0
  const balance = checking.last?.balance ?? props.balance
  const total = checked?.total ?? 0
  const words = checked && ready > 0 ? wordsOf(ordersOf(checked.lines, lines.map(sizeOf), places)) : buyWords.nothingYet
  return (
    <BuyPage
      product={product}
      balance={balance}
      foot={
        <BuyFoot
          what={words}
          total={total}
          balance={balance}
          action={ready > 0 ? buyWords.buyFor(formatGhs(total)) : buyWords.buy}
          isReady={ready > 0}
          isBusy={confirmation.isBusy}
          onBuy={() => void confirmation.open()}
        />
      }
    >
      {purchase.refusal && !confirmation.confirmed && <Failure error={purchase.refusal} title={buyWords.refused} />}
      {confirmation.error !== undefined && <Failure error={confirmation.error} />}
      {props.children}
      <LinesField text={text} onText={setText} hint={props.hint} field={checking.field} />
      {checking.unreadable && <Failure error={new Error(`${checking.unreadable.recipient}: ${checking.unreadable.problem}`)} />}
      {checking.isTooMany && <Failure error={new Error(buyWords.tooMany(lines.length))} />}
      {checking.error && <Failure error={checking.error} onRetry={checking.retry} />}
      {lines.length > 0 && checking.isChosen && !checking.isTooMany && !checking.error && (
        <CheckedLines
          lines={checked?.lines}
          places={places}
          text={text}
          onText={setText}
          onMend={checking.mend}
          networks={networks}
        />
      )}
      {!checking.isChosen && !checking.unreadable && <p role="status">{buyWords.chooseFirst}</p>}
      <ConfirmLines {...props} confirmation={confirmation} />
    </BuyPage>
  )
}

/** Asks the person once before the purchase, and shows the result of the check. */
function ConfirmLines<Line>({
  purchase,
  wordsOf,
  confirmation,
}: FormProps<Line> & { readonly confirmation: ReturnType<typeof useConfirmation<Line>> }) {
  const { confirmed, open, close } = confirmation
  const waiting = confirmed?.checked.lines.filter(({ state }) => state === 'waits').length ?? 0
  const words = confirmed ? wordsOf(confirmed.orders) : ''
  const total = confirmed?.checked.total ?? 0
  const buy = async () => {
    if (!confirmed) return
    const refused = await purchase.buy(confirmed.orders, `${words}, ${formatGhs(total)}`)
    // The lines are checked again, and the dialog asks about the new total.
    if (isPriceChanged(refused)) await open()
    else close()
  }
  return (
    <ConfirmMoney
      isOpen={confirmed !== undefined && confirmed.orders.length > 0}
      question={buyWords.buyQuestion(words)}
      amount={total}
      balanceAfter={confirmed?.checked.balance_after}
      action={buyWords.buy}
      isBusy={purchase.isBusy || confirmation.isBusy}
      refusal={purchase.refusal}
      onConfirm={() => void buy()}
      onClose={close}
    >
      {waiting > 0 && <p>{buyWords.waits(waiting)}</p>}
      {confirmed && confirmed.left > 0 && <p>{buyWords.leftOut(confirmed.left)}</p>}
    </ConfirmMoney>
  )
}
