import { type BatcherRules, createBatcher, createFifoQueue, createPauseBetweenBatches, workInHalves } from './create-batcher.ts'

export type BatchedCallRules<Question, Answer> = Pick<BatcherRules<unknown>, 'batchesAtOnce' | 'joinMilliseconds' | 'pause'> & {
  readonly batchMax: number
  /** Answers a batch of questions, in their order. */
  readonly answer: (questions: readonly Question[]) => Promise<readonly Answer[]>
  /** The time between two batches. When it is given, `pause` is not used. Left out: none. */
  readonly restMilliseconds?: number
  /** True when one question may have caused the failure. Left out: false, and all questions of the batch fail together. */
  readonly isOneToBlame?: (error: unknown) => boolean
}

type WaitingQuestion<Question, Answer> = {
  readonly question: Question
  readonly resolve: (answer: Answer) => void
  readonly reject: (error: unknown) => void
}

/** Collects questions into batches, and gives each caller its own answer or error. */
export function createBatchedCall<Question, Answer>(
  rules: BatchedCallRules<Question, Answer>,
): (question: Question) => Promise<Answer> {
  const { batchMax, batchesAtOnce, joinMilliseconds, restMilliseconds, isOneToBlame = () => false } = rules
  const queue = createFifoQueue<WaitingQuestion<Question, Answer>>(batchMax)

  async function answerAll(asked: readonly WaitingQuestion<Question, Answer>[]): Promise<void> {
    const answers = await rules.answer(asked.map(({ question }) => question))
    for (const [index, { resolve }] of asked.entries()) resolve(answers[index] as Answer)
  }
  const rest = restMilliseconds && createPauseBetweenBatches(restMilliseconds, () => queue.count() >= batchMax)
  const pause = rest || rules.pause
  function giveUp(asked: readonly WaitingQuestion<Question, Answer>[], error: unknown): void {
    for (const { reject } of asked) reject(error)
  }

  const questions = createBatcher({
    queue,
    work: (batch) => workInHalves(batch, { work: answerAll, isOneToBlame, giveUp }),
    ...(batchesAtOnce !== undefined && { batchesAtOnce }),
    ...(joinMilliseconds !== undefined && { joinMilliseconds }),
    ...(pause && { pause }),
  })
  return (question) => new Promise((resolve, reject) => questions.add({ question, resolve, reject }))
}
