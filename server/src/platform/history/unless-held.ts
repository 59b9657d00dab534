import type { Timer } from '../housekeeping/run-timers.ts'
import type { HistoryHold } from './history-watch.ts'

/** The timer does nothing while history went back and nobody has accepted it. */
export function unlessHeld(timer: Timer, history: HistoryHold | undefined): Timer {
  return {
    ...timer,
    run: async () => {
      if (!history?.isHeld()) await timer.run()
    },
  }
}
