import type { components } from '../../both/api/dashboard-api.d.ts'
import { fieldWords } from '../../both/field-words.ts'
import { StateIcon, type Tone } from '../../both/list/state.tsx'
import { exactMoment, showDay } from '../../both/moments/format-moment.ts'
import { formatCount, formatGhs } from '../../both/money/format-ghs.ts'
import { answerWords, deskOrderWords, supplierName } from '../words/orders.ts'
import type { DeskOrder } from './ask-orders.ts'
import css from './orders.module.css'

type Step = components['schemas']['DeskOrderStep']
type DescribedStep = { readonly title: string; readonly note?: string | undefined; readonly tone: Tone }

const timeOf = (at: string) => exactMoment(at).replace(/^.*, /, '')
const minuteOf = (at: string) => timeOf(at).slice(0, 5)

/** The balance before and after the entry of an order, as `balance 1,253.00 → 1,234.50`. */
function balanceOf({ entries }: DeskOrder, kind: string): string {
  const entry = entries.find((each) => each.kind === kind)
  if (!entry) return ''
  const show = (amount: number) => (entry.unit === 'GHS' ? formatGhs(amount).replace('GHS ', '') : formatCount(amount))
  return `, ${deskOrderWords.balance(show(entry.before), show(entry.after))}`
}

const wordsOfAnswer = (answer: string | null) => answerWords[answer ?? ''] ?? { says: answer ?? '', tone: 'plain' as const }

function describeAnswer({ step, supplier, answer, count }: Step): DescribedStep {
  const { says, means, tone } = wordsOfAnswer(answer)
  const who = supplierName(supplier ?? '')
  if (step === 'asked') return { title: deskOrderWords.asked(count, says), note: means, tone }
  if (step === 'called_back') return { title: deskOrderWords.calledBack(who, says), note: means, tone }
  if (step === 'person_said') return { title: deskOrderWords.personSaid(says), tone }
  return { title: deskOrderWords.said(who, says), note: means, tone }
}

function describeStep(shown: DeskOrder, step: Step): DescribedStep {
  switch (step.step) {
    case 'paid':
      return { title: `${deskOrderWords.paid}${balanceOf(shown, 'purchase')}`, tone: 'done' }
    case 'sent':
      return { title: deskOrderWords.sent(supplierName(step.supplier ?? ''), step.reference ?? ''), tone: 'done' }
    case 'moved': {
      const word = deskOrderWords.moved[step.answer ?? ''] ?? step.answer ?? ''
      return { title: word, note: deskOrderWords.by(step.actor ?? ''), tone: step.answer === 'completed' ? 'done' : 'fail' }
    }
    case 'money_back':
      return {
        title: `${deskOrderWords.moneyBack}${balanceOf(shown, 'refund')}`,
        note: deskOrderWords.by(step.actor ?? ''),
        tone: 'done',
      }
    case 'contradicted':
      return { title: deskOrderWords.contradictedStep, tone: 'fail' }
    case 'answered':
    case 'asked':
    case 'called_back':
    case 'person_said':
      return describeAnswer(step)
  }
  return step.step satisfies never
}

/** Shows the supplier's answers unchanged, in a part that is closed at first. */
function OwnWords({ said }: Pick<Step, 'said'>) {
  if (said.length === 0) return null
  return (
    <details className={css.words}>
      <summary>{fieldWords.inItsOwnWords}</summary>
      {said.map(({ at, evidence }) => (
        <p key={`${at} ${evidence}`}>
          <time dateTime={at}>{timeOf(at)}</time> {evidence}
        </p>
      ))}
    </details>
  )
}

/** The steps of an order, in the order of time. The day is shown where it changes. */
export function OrderSteps({ shown }: { readonly shown: DeskOrder }) {
  return (
    <ol className={css.steps}>
      {shown.steps.map((step, index) => {
        const { at, until } = step
        const { title, note, tone } = describeStep(shown, step)
        const before = shown.steps[index - 1]
        const isNewDay = before === undefined || showDay(before.at) !== showDay(at)
        return (
          // Steps are only added at the end, so the index of a step never changes.
          // oxlint-disable-next-line react/no-array-index-key
          <li key={`${step.step} ${at} ${index}`} className={css.step}>
            <span className={css.sign}>
              <StateIcon tone={tone} />
            </span>
            {isNewDay && <div className={css.stepDay}>{showDay(at)}</div>}
            <time dateTime={at} title={exactMoment(at)} className={css.stepTime}>
              {until === null ? timeOf(at) : `${minuteOf(at)} – ${minuteOf(until)}`}
            </time>{' '}
            {title}
            {note !== undefined && <div className="soft fine">{note}</div>}
            <OwnWords said={step.said} />
          </li>
        )
      })}
    </ol>
  )
}
