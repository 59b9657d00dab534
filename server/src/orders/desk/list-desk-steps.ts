import type { AttemptRecord, OrderHistory } from '../queries/read-order-history.ts'

export type SupplierWords = { readonly at: Date; readonly source: string; readonly evidence: string }

/** One line of an order's history at the desk. Equal answers in a row are one line. */
export type DeskStep = {
  readonly at: Date
  /** The moment of the last repeat. Null: it happened once. */
  readonly until: Date | null
  readonly step: 'paid' | 'sent' | 'answered' | 'asked' | 'called_back' | 'person_said' | 'moved' | 'money_back' | 'contradicted'
  readonly count: number
  readonly supplier: string | null
  /** Our reference of the attempt at the supplier. */
  readonly reference: string | null
  /** The meaning of a supplier's answer, or the new status of a move. */
  readonly answer: string | null
  readonly actor: string | null
  readonly reason: string | null
  readonly said: readonly SupplierWords[]
}

/** How many of the latest equal answers are shown in the supplier's words. */
const wordsMax = 5

const plain = {
  until: null,
  count: 1,
  supplier: null,
  reference: null,
  answer: null,
  actor: null,
  reason: null,
  said: [],
} as const

const stepOfSource: Readonly<Record<string, DeskStep['step']>> = {
  send: 'answered',
  resend: 'asked',
  status: 'asked',
  callback: 'called_back',
  person: 'person_said',
}

/** Lists the answers to an attempt, oldest first. Equal ones in a row become one line. */
function stepsOfAnswers({ supplier, answers }: AttemptRecord): DeskStep[] {
  const steps: DeskStep[] = []
  for (const { at, source, answer, evidence } of answers) {
    const step = stepOfSource[source] ?? 'answered'
    const last = steps.at(-1)
    const words = { at, source, evidence }
    if (last?.step === step && last.answer === answer) {
      steps[steps.length - 1] = { ...last, until: at, count: last.count + 1, said: [...last.said, words].slice(-wordsMax) }
    } else {
      steps.push({ ...plain, at, step, supplier, answer, said: [words] })
    }
  }
  return steps
}

function stepsOfAttempt(attempt: AttemptRecord): DeskStep[] {
  const { createdAt: at, supplier, outgoingReference: reference } = attempt
  return [{ ...plain, at, step: 'sent', supplier, reference }, ...stepsOfAnswers(attempt)]
}

/** Lists the moves of an order that are not shown as steps of its attempts. */
function stepsOfMoves({ events }: OrderHistory): DeskStep[] {
  return events.flatMap(({ at, to, actor, reason }): DeskStep[] => {
    if (to === 'processing') return []
    if (to === 'refunded') return [{ ...plain, at, step: 'money_back', actor, reason }]
    return [{ ...plain, at, step: 'moved', answer: to, actor, reason }]
  })
}

/** Lists everything that happened to an order, oldest first, with the suppliers' own words. */
export function listDeskSteps(history: OrderHistory): DeskStep[] {
  const { order, attempts, contradictions } = history
  const steps: DeskStep[] = [
    { ...plain, at: order.createdAt, step: 'paid' },
    ...attempts.flatMap(stepsOfAttempt),
    ...stepsOfMoves(history),
    ...contradictions.map(({ at, evidence }) => ({
      ...plain,
      at,
      step: 'contradicted' as const,
      said: [{ at, source: 'contradiction', evidence }],
    })),
  ]
  // The sort keeps the order of steps that have the same moment.
  return steps.toSorted((one, other) => one.at.getTime() - other.at.getTime())
}
