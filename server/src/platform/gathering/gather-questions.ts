import { type GatherRules, gather, inOrder, restBetweenBatches, workApart } from './gather.ts'

export type QuestionRules<Question, Answer> = Pick<GatherRules<unknown>, 'batchesAtOnce' | 'joinMilliseconds' | 'pause'> & {
  readonly batchMax: number
  /** Answers a batch of questions, in their order. */
  readonly answer: (questions: readonly Question[]) => Promise<readonly Answer[]>
  /** The time between two batches. When it is given, `pause` is not used. Left out: none. */
  readonly restMilliseconds?: number
  /** True when one question may have caused the failure. Left out: false, and all questions of the batch fail together. */
  readonly isOneToBlame?: (error: unknown) => boolean
}

type Asked<Question, Answer> = {
  readonly question: Question
  readonly resolve: (answer: Answer) => void
  readonly reject: (error: unknown) => void
}

/** Collects questions into batches, and gives each caller its own answer or error. */
export function gatherQuestions<Question, Answer>(
  rules: QuestionRules<Question, Answer>,
): (question: Question) => Promise<Answer> {
  const { batchMax, batchesAtOnce, joinMilliseconds, restMilliseconds, isOneToBlame = () => false } = rules
  const line = inOrder<Asked<Question, Answer>>(batchMax)

  async function answerAll(asked: readonly Asked<Question, Answer>[]): Promise<void> {
    const answers = await rules.answer(asked.map(({ question }) => question))
    for (const [index, { resolve }] of asked.entries()) resolve(answers[index] as Answer)
  }
  const rest = restMilliseconds && restBetweenBatches(restMilliseconds, () => line.count() >= batchMax)
  const pause = rest || rules.pause
  function giveUp(asked: readonly Asked<Question, Answer>[], error: unknown): void {
    for (const { reject } of asked) reject(error)
  }

  const questions = gather({
    line,
    work: (batch) => workApart(batch, { work: answerAll, isOneToBlame, giveUp }),
    ...(batchesAtOnce !== undefined && { batchesAtOnce }),
    ...(joinMilliseconds !== undefined && { joinMilliseconds }),
    ...(pause && { pause }),
  })
  return (question) => new Promise((resolve, reject) => questions.add({ question, resolve, reject }))
}
