import { setTimeout as wait } from 'node:timers/promises'
import { inOrder, type Line } from './line.ts'

/** Collects items and works on them in batches. */
export type Gathering<Item> = {
  /** Puts an item into the line. `work` may call it too, to try an item again. */
  add(item: Item): void
  /** Items that wait and may be taken, plus the items of running batches. */
  size(): number
  /** Resolves when nothing waits and no batch is being worked on. */
  drained(): Promise<void>
}

/** Awaited before each batch, so that more items can gather. `isFirst` is true before the first of several batches in a row. */
export type Pause = (isFirst: boolean) => Promise<void>

export type GatherRules<Item> = {
  readonly line: Line<Item>
  /** Works on one batch. It must not reject; it handles the failure of each item itself. */
  readonly work: (batch: readonly Item[]) => Promise<void>
  /** The most batches that run at the same time. Left out: 1. */
  readonly batchesAtOnce?: number
  /**
   * A batch begins beside others only when at least as many items wait as the others hold, or after this time: two small
   * batches cost more than one large one. Left out: it begins at once.
   */
  readonly joinMilliseconds?: number
  /** The wait before a batch, so that more items gather. Left out: an item that comes while nothing is running is worked on at once, in the same turn of the event loop. */
  readonly pause?: Pause
}

/** Collects items: those that come while batches are running wait in the line and go into the next batch. */
export function gather<Item>({ line, work, batchesAtOnce = 1, joinMilliseconds, pause }: GatherRules<Item>): Gathering<Item> {
  let running = 0
  let inWork = 0
  let joining: NodeJS.Timeout | undefined
  let onceIdle: (() => void)[] = []

  async function workOnNext(): Promise<void> {
    clearTimeout(joining)
    joining = undefined
    const batch = line.take()
    inWork += batch.length
    // More items wait than this batch could take. They get another batch soon, because this one may hang.
    if (joinMilliseconds !== undefined && running < batchesAtOnce && line.count() > 0) joinLater()
    try {
      await work(batch)
    } finally {
      inWork -= batch.length
      line.finish?.(batch)
    }
  }

  const isWorthwhile = (others: number) => others === 0 || joinMilliseconds === undefined || line.count() >= inWork

  /** Starts another batch for the waiting items after `joinMilliseconds` at the latest. */
  function joinLater(): void {
    joining ??= setTimeout(() => {
      joining = undefined
      if (running < batchesAtOnce && line.count() > 0) void run(true)
    }, joinMilliseconds)
  }

  async function run(isLate: boolean): Promise<void> {
    running += 1
    let isDue = isLate
    try {
      if (pause) await pause(true)
      while (line.count() > 0 && (isDue || isWorthwhile(running - 1))) {
        isDue = false
        await workOnNext()
        if (pause) await pause(false)
      }
    } finally {
      running -= 1
      if (running > 0 && line.count() > 0) joinLater()
      if (running === 0) for (const tell of onceIdle.splice(0)) tell()
    }
  }

  return {
    add: (item) => {
      line.push(item)
      if (running === batchesAtOnce || line.count() === 0) return
      if (isWorthwhile(running)) void run(false)
      else joinLater()
    },
    size: () => line.count() + inWork,
    drained: () => (running === 0 ? Promise.resolve() : new Promise((resolve) => onceIdle.push(resolve))),
  }
}

/** Resolves at the end of this turn of the event loop, after everything else in it. */
export function endOfTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve)
  })
}

/**
 * The first batch takes everything of the same turn of the event loop. Later batches are this far apart, unless a full one
 * waits already: many small batches cost more than the work in them.
 */
export function restBetweenBatches(milliseconds: number, isFull: () => boolean): Pause {
  return async (isFirst) => {
    if (isFirst) await endOfTurn()
    else if (!isFull()) await wait(milliseconds)
  }
}

export type ApartRules<Item> = {
  readonly work: (batch: readonly Item[]) => Promise<void>
  /** True when one item may have caused the failure. Else the whole batch is given up. Left out: true. */
  readonly isOneToBlame?: (error: unknown) => boolean
  readonly giveUp: (items: readonly Item[], error: unknown) => void
}

/**
 * Works on a batch. When it fails because of one item, it is split into halves again and again, until that item is
 * alone and is given up.
 */
export async function workApart<Item>(batch: readonly Item[], rules: ApartRules<Item>): Promise<void> {
  try {
    await rules.work(batch)
  } catch (error) {
    if (batch.length === 1 || rules.isOneToBlame?.(error) === false) {
      rules.giveUp(batch, error)
      return
    }
    const middle = Math.ceil(batch.length / 2)
    await workApart(batch.slice(0, middle), rules)
    await workApart(batch.slice(middle), rules)
  }
}

export type QuestionRules<Question, Answer> = Pick<GatherRules<unknown>, 'batchesAtOnce' | 'joinMilliseconds' | 'pause'> & {
  readonly batchMax: number
  /** Answers a batch of questions, in their order. */
  readonly answer: (questions: readonly Question[]) => Promise<readonly Answer[]>
  /** The pause between two batches, in place of `pause`. Left out: none. */
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
