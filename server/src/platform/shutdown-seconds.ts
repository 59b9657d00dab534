/**
 * The most seconds that the parts of a process may take to stop. For parts that stop at the same time the longest counts;
 * parts that stop one after the other add up. `shutdown-seconds.test.ts` compares the sum with the limits of the process,
 * its parent and systemd. Cutting a part off is like a crash: nothing acknowledged is lost, and suppliers are asked about
 * orders without an answer.
 */
export const shutdownSeconds = {
  /** The API: first the requests end, then the calls that wait in the intake. */
  api: {
    /** Longer than the slowest purchase: while the result of its commit is looked up, the caller waits up to 10 s. */
    requests: 15,
    /** The calls that still wait in the intake end within this time. Their connections may be closed already. */
    intake: 10,
  },
  /** The worker: its three parts stop at the same time. */
  worker: {
    /** The order loop: calls in flight get this long to end, after that they are `unknown`. Then their answers are committed. */
    orders: { calls: 10, commits: 10 },
    /** Each SMS link: messages in flight get their answers, the link unbinds, its changes are written, its lock is released. */
    links: { answers: 10, unbind: 2, news: 6, lock: 4 },
    /** Housekeeping: all of it can be broken off at any point. */
    timers: 5,
  },
  /** The rest of a process: connections, caches, metrics, the lease of the embedded server. */
  rest: 3,
  /** After this the process ends, even if something is still running. */
  process: 30,
  /** After this, `makola start` kills the process. */
  parent: 32,
  /** The simulator is stopped after the others. */
  simulator: 5,
} as const
