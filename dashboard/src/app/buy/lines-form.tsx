import { lazy, type ReactNode, Suspense, useState } from 'react'
import { fieldWords } from '../../both/field-words.ts'
import { Failure } from '../../both/layout/query-states.tsx'
import { newReference } from '../../both/money/use-reference.ts'
import { groupDigits } from '../../both/phones.ts'
import { NumbersField } from '../numbers-field.tsx'
import { buyWords } from '../words/buy.ts'
import css from './buy.module.css'
import { BuyForm } from './buy-form.tsx'
import { CheckedLines, wordsOfLine } from './checked-lines.tsx'
import { cleanLines } from './clean-lines.ts'
import { type CheckedLinesAnswer, type LinesProduct, ordersOf, wordsOfOrders } from './lines-product.ts'
import type { LinesScreenForm } from './lines-screen.tsx'
import { withWord } from './read-lines.ts'
import { RepeatWarning } from './repeat-warning.tsx'
import { repeatWord } from './repeat-word.ts'
import { type ChosenForLines, useCheckedLines } from './use-checked-lines.ts'

/** Loaded at once, so that nothing moves when the chips appear. The form also works without them. */
const customerChips = import('../customers/customer-chips.tsx').catch(() => ({ default: () => null }))
const CustomerChips = lazy(() => customerChips)

type Props<Line> = LinesScreenForm<Line> &
  ChosenForLines<Line> & {
    /** The fields that apply to all lines: the network, the bundle, the amount. */
    readonly children: ReactNode
  }

/** The last check before the purchase. Its answer is what the question shows. */
function useLastCheck<Line>(goods: LinesProduct<Line>, { lines, sizes, places, show }: ReturnType<typeof useCheckedLines<Line>>) {
  const [asked, setAsked] = useState<CheckedLinesAnswer>()
  const ordersIn = ({ lines: found }: CheckedLinesAnswer) => ordersOf(found, sizes, places)
  const prepare = async () => {
    const last = await (goods.checkClosely ?? goods.check)(lines)
    setAsked(last)
    show(last)
    return ordersIn(last).length > 0
  }
  return { asked, prepare, ordersIn }
}

/** The next step for the person, such as `Choose a bundle`. Undefined: nothing is missing. */
function nextStep<Line>(
  { product }: LinesProduct<Line>,
  { places, unreadable, isChosen, checked, error }: ReturnType<typeof useCheckedLines<Line>>,
) {
  if (unreadable.length > 0) return buyWords.mendFirst
  if (places.length === 0) return buyWords.numberFirst
  if (!isChosen) return buyWords.chooseFirst[product]
  return checked || error ? undefined : buyWords.checking
}

/** The form for one number or many: write the numbers, choose, see each line checked, confirm. */
export function LinesForm<Line>(props: Props<Line>) {
  const { goods, balance, purchase, text, setText, children } = props
  const checking = useCheckedLines(goods, text, props)
  const { checked } = checking
  const { asked, prepare, ordersIn } = useLastCheck(goods, checking)
  const orders = asked ? ordersIn(asked) : []
  const isReady = checked !== undefined && checked.ready > 0
  /** The line, if it is the only one and cannot be bought as it is. */
  const only = checked?.lines.length === 1 && !isReady ? checked.lines[0] : undefined
  const wordsIn = (found: CheckedLinesAnswer) => wordsOfOrders(ordersIn(found), goods.wordsOf)
  const body = () => ({ orders: orders.map((order) => ({ ...order, reference: newReference() })), text })
  const to = orders.map((order) => ({
    number: order.recipient,
    detail: orders.length === 1 ? order.network : goods.wordsOf(order),
  }))
  return (
    <BuyForm
      product={goods.product}
      balance={checking.last?.balance ?? balance}
      what={isReady ? wordsIn(checked) : only && `${groupDigits(only.recipient)} ${wordsOfLine(only)}`}
      next={nextStep(goods, checking)}
      instead={
        only?.state === 'bought'
          ? { label: buyWords.buyAgain, act: () => setText(withWord(text, checking.places, repeatWord)) }
          : undefined
      }
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
      <div className={css.fieldset}>
        <NumbersField
          label={fieldWords.numbers}
          hint={goods.hint}
          file={buyWords.fromFile}
          inputMode="tel"
          text={text}
          onText={setText}
          clean={(pasted) => cleanLines(pasted, props.networks)}
          field={checking.field}
        />
        <Suspense>
          <CustomerChips onNumbers={(numbers) => setText([text.trimEnd(), ...numbers].filter(Boolean).join('\n'))} />
        </Suspense>
      </div>
      {children}
      <LinesCheck {...props} checking={checking} />
    </BuyForm>
  )
}

type CheckProps<Line> = Pick<Props<Line>, 'text' | 'setText' | 'networks'> & {
  readonly checking: ReturnType<typeof useCheckedLines<Line>>
}

/** The errors of the whole text, and a list of its lines with what was found out about them. */
function LinesCheck<Line>({ text, setText, networks, checking }: CheckProps<Line>) {
  const { lines, isChosen, isTooMany, unreadable, error } = checking
  const isChecked = lines.length > 0 && isChosen && !isTooMany && !error
  return (
    <>
      {isTooMany && <Failure error={new Error(buyWords.tooMany(lines.length))} />}
      {error && <Failure error={error} onRetry={checking.retry} />}
      {(isChecked || unreadable.length > 0) && (
        <CheckedLines
          lines={checking.checked?.lines}
          places={checking.places}
          unreadable={unreadable}
          text={text}
          onText={setText}
          onMend={checking.mend}
          networks={networks}
        />
      )}
    </>
  )
}

/** Notes on lines that were bought before, that wait for a registration, or that are left out. */
function Notes({ asked: { lines } }: { readonly asked: CheckedLinesAnswer }) {
  const again = lines.flatMap(({ price, same }) => (price === null || same === null ? [] : [same]))
  const waiting = lines.filter(({ state }) => state === 'waits').length
  const left = lines.filter(({ network, price }) => network === null || price === null).length
  return (
    <>
      <RepeatWarning same={again} of={lines.length} />
      {waiting > 0 && <p>{buyWords.waits(waiting)}</p>}
      {left > 0 && <p>{buyWords.leftOut(left)}</p>}
    </>
  )
}
