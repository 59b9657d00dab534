import { createBatchedCall } from '../gathering/create-batched-call.ts'
import { waitForEventLoopTurn } from '../gathering/create-batcher.ts'

/** At most this many questions go into one read; the others go into the next one. */
const questionsMax = 256

/** At most this many reads run at the same time. Meanwhile questions gather for the next one. */
const readsMax = 2

/**
 * A second read begins when as many questions wait as the first one answers, or after this time. So few statements answer many
 * questions.
 */
const joinMilliseconds = 5

/**
 * Combines small reads into one statement: those of one turn of the event loop, or those asked while others run. When nothing is
 * running, a read begins at the end of the turn and waits for no timer. Every read begins after its question was asked, so
 * the answer is never older than the question.
 */
export function combineReads<Question, Answer>(
  read: (questions: readonly Question[]) => Promise<(question: Question) => Answer>,
): (question: Question) => Promise<Answer> {
  return createBatchedCall({
    batchMax: questionsMax,
    batchesAtOnce: readsMax,
    joinMilliseconds,
    pause: waitForEventLoopTurn,
    answer: async (questions: readonly Question[]) => {
      const answerOf = await read(questions)
      return questions.map((question) => answerOf(question))
    },
  })
}
