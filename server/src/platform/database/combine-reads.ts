/** Questions in one read at most; what waits beyond them goes into the next one. */
const questionsMax = 256

/** Reads under way at once: while one waits for the database, the next gathers. */
const readsMax = 2

type Waiting<Question, Answer> = {
  readonly question: Question
  readonly resolve: (answer: Answer) => void
  readonly reject: (error: unknown) => void
}

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
  let waiting: Waiting<Question, Answer>[] = []
  let readsUnderWay = 0

  async function readOnce(): Promise<void> {
    const taken = waiting.slice(0, questionsMax)
    waiting = waiting.slice(questionsMax)
    try {
      const answerOf = await read(taken.map(({ question }) => question))
      for (const { question, resolve } of taken) resolve(answerOf(question))
    } catch (error) {
      for (const { reject } of taken) reject(error)
    }
  }

  async function run(): Promise<void> {
    readsUnderWay += 1
    while (waiting.length > 0) await readOnce()
    readsUnderWay -= 1
  }

  return (question) =>
    new Promise((resolve, reject) => {
      waiting.push({ question, resolve, reject })
      if (readsUnderWay < readsMax) void run()
    })
}
