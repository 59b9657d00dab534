/** Payers who have been asked and have not decided. */
export type UndecidedPayers = {
  /** Lets a payer decide after this time. */
  wait(decide: () => void, milliseconds: number): void
  /** Lets everybody decide now, so that a test need not guess how long a payer takes. */
  decideAll(): void
}

/** @param stopping aborted when the process ends, so that nothing waits for a payer any more */
export function awaitPayers(stopping: AbortSignal): UndecidedPayers {
  const undecided = new Set<() => void>()
  return {
    wait: (decide, milliseconds) => {
      const decideOnce = () => {
        clearTimeout(timer)
        if (undecided.delete(decideOnce) && !stopping.aborted) decide()
      }
      const timer = setTimeout(decideOnce, milliseconds).unref()
      undecided.add(decideOnce)
    },
    decideAll: () => {
      for (const decide of undecided) decide()
    },
  }
}
