import { gatherQuestions } from '../gathering/gather.ts'

/** Questions in one read at most; what waits beyond them goes into the next one. */
const questionsMax = 256

/** Reads under way at once: while one waits for the database, the next gathers. */
const readsMax = 2

/**
 * Combines small reads that arrive while others are under way into one statement. An idle reader asks
 * at once and never waits on a timer. Every read begins after it was asked for, so nothing older than
 * the question is ever answered.
 *
 * @param read answers many questions with one statement
 * @returns answers one question
 */
export function combineReads<Question, Answer>(
  read: (questions: readonly Question[]) => Promise<(question: Question) => Answer>,
): (question: Question) => Promise<Answer> {
  return gatherQuestions({
    batchMax: questionsMax,
    batchesAtOnce: readsMax,
    answer: async (questions: readonly Question[]) => {
      const answerOf = await read(questions)
      return questions.map((question) => answerOf(question))
    },
  })
}
