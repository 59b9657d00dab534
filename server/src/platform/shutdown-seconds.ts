/**
 * How long the parts of a process may take when it is asked to stop. Parts that wait at the same time have their
 * longest time together, parts that wait one after the other have their sum; `shutdown-seconds.test.ts` adds them up
 * and compares them with what the process, its parent and systemd allow. What is cut off is as after a crash: nothing
 * that was acknowledged is lost, and an order whose answer is missing is asked about.
 */
export const shutdownSeconds = {
  /** The API. First requests end, then what waits in the intake; nothing else takes time. */
  api: {
    /** Longer than the slowest handler: a purchase whose commit is being looked for waits 10 s. */
    requests: 15,
    /** Callers whose request was cut off are answered at the latest after this by the intake itself. */
    intake: 10,
  },
  /** The worker. Its three sides stop at the same time. */
  worker: {
    /** Orders: calls in flight may end by themselves, then they become `unknown`; their answers are committed. */
    orders: { calls: 10, commits: 10 },
    /** Each link: texts in flight get their answers, it unbinds, its news are written, its lock is given back. */
    links: { answers: 10, unbind: 2, news: 6, lock: 4 },
    /** Housekeeping: all of it can be broken off at any point. */
    timers: 5,
  },
  /** What a process does after that: connections, caches, the measures, the embedded server's lease. */
  rest: 3,
  /** Then a process ends, whatever it still waits for. */
  process: 30,
  /** Then `makola start` kills it. */
  parent: 32,
  /** The simulator holds nothing of ours; it is stopped after the others. */
  simulator: 5,
} as const
