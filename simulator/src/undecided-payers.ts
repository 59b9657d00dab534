/** Payers who were asked and have not decided. */
export type UndecidedPayers = {
  /** Decides for a payer after this time. */
  wait(decide: () => void, milliseconds: number): void
  /** Decides for all payers now, so that a test need not guess a time. */
  decideAll(): void
}

/** @param stopping aborted when the process ends, so that no payer delays the end */
export function createUndecidedPayers(stopping: AbortSignal): UndecidedPayers {
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
