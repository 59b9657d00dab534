import { lazy, type ReactNode, Suspense, useState } from 'react'
import { fieldWords } from '../../both/field-words.ts'
import { Failure } from '../../both/layout/wait.tsx'
import { newReference } from '../../both/money/use-reference.ts'
import { NumbersField } from '../numbers-field.tsx'
import { buyWords } from '../words/buy.ts'
import css from './buy.module.css'
import { BuyForm } from './buy-form.tsx'
import { CheckedLines } from './checked-lines.tsx'
import { type Checked, ordersOf, wordsOfOrders } from './line-goods.ts'
import type { LinesScreenForm } from './lines-screen.tsx'
import { cleanLines } from './read-lines.ts'
import { type ChosenForLines, useCheckedLines } from './use-checked-lines.ts'

/** Loaded after the form, which does not wait for it. */
const CustomerChips = lazy(() => import('../customers/customer-chips.tsx'))

type Props<Line> = LinesScreenForm<Line> &
  ChosenForLines<Line> & {
    /** The fields that hold for all lines: the network, the bundle, the amount. */
    readonly children: ReactNode
  }

/** The form for one number or many: choose, write the numbers, see each line checked, confirm. */
export function LinesForm<Line>(props: Props<Line>) {
  const { goods, balance, purchase, text, setText, children } = props
  const checking = useCheckedLines(goods, text, props)
  const { checked, lines, sizes, places } = checking
  /** The answer of the last check before the purchase, which the question shows. */
  const [asked, setAsked] = useState<Checked>()
  const ordersIn = ({ lines: found }: Checked) => ordersOf(found, sizes, places)
  const orders = asked ? ordersIn(asked) : []
  const prepare = async () => {
    const last = goods.checkClosely ? await goods.checkClosely(lines) : checked
    setAsked(last)
    return last !== undefined && ordersIn(last).length > 0
  }
  const isReady = checked !== undefined && checked.ready > 0
  const wordsIn = (found: Checked) => wordsOfOrders(ordersIn(found), goods.wordsOf)
  const body = () => ({ orders: orders.map((order) => ({ ...order, reference: newReference() })), text })
  const to = orders.map((order) => ({
    number: order.recipient,
    detail: orders.length === 1 ? order.network : goods.wordsOf(order),
  }))
  return (
    <BuyForm
      product={goods.product}
      balance={checking.last?.balance ?? balance}
      what={isReady ? wordsIn(checked) : buyWords.nothingYet}
      total={checked?.total ?? 0}
      purchase={purchase}
      prepare={prepare}
      question={buyWords.buyQuestion(asked ? wordsIn(asked) : '')}
      to={to}
      amount={asked?.total ?? 0}
      commission={asked?.commission ?? 0}
      goods={orders.map((order) => ({ product: goods.product, item: goods.itemOf(order), cost: order.price }))}
      note={asked && <Notes asked={asked} />}
      body={isReady ? body : undefined}
    >
      {children}
      <div className={css.fieldset}>
        <NumbersField
          label={fieldWords.numbers}
          hint={goods.hint}
          file={buyWords.fromFile}
          inputMode="tel"
          text={text}
          onText={setText}
          clean={cleanLines}
          field={checking.field}
        />
        <Suspense>
          <CustomerChips onNumbers={(numbers) => setText([text.trimEnd(), ...numbers].filter(Boolean).join('\n'))} />
        </Suspense>
      </div>
      <LinesCheck {...props} checking={checking} />
    </BuyForm>
  )
}

type CheckProps<Line> = Pick<Props<Line>, 'text' | 'setText' | 'networks'> & {
  readonly checking: ReturnType<typeof useCheckedLines<Line>>
}

/** The error of the whole text, or a list of its checked lines. */
function LinesCheck<Line>({ text, setText, networks, checking }: CheckProps<Line>) {
  const { lines, isChosen, isTooMany, unreadable, error } = checking
  return (
    <>
      {unreadable && <Failure error={new Error(`${unreadable.recipient}: ${unreadable.problem}`)} />}
      {isTooMany && <Failure error={new Error(buyWords.tooMany(lines.length))} />}
      {error && <Failure error={error} onRetry={checking.retry} />}
      {lines.length > 0 && isChosen && !isTooMany && !error && (
        <CheckedLines
          lines={checking.checked?.lines}
          places={checking.places}
          text={text}
          onText={setText}
          onMend={checking.mend}
          networks={networks}
        />
      )}
      {!isChosen && !unreadable && <p role="status">{buyWords.chooseFirst}</p>}
    </>
  )
}

/** The lines of the purchase that wait for a registration, and those that are left out. */
function Notes({ asked: { lines } }: { readonly asked: Checked }) {
  const waiting = lines.filter(({ state }) => state === 'waits').length
  const left = lines.filter(({ network, price }) => network === null || price === null).length
  return (
    <>
      {waiting > 0 && <p>{buyWords.waits(waiting)}</p>}
      {left > 0 && <p>{buyWords.leftOut(left)}</p>}
    </>
  )
}
