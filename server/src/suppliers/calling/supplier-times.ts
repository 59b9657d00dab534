import type { SupplierTimes } from '../adapter.ts'

export const liveTimes: SupplierTimes = {
  timeouts: { connectSeconds: 5, callSeconds: 30 },
  askSchedule: {
    delaysSeconds: [5, 30, 120, 300, 900],
    // A whole call, plus the time for which our order may wait in the supplier's queue before a look-up finds it.
    maximumInFlightSeconds: 300,
    // Deliveries of one to two hours are common on the big networks. A person is called well after that.
    raiseAfterSeconds: 4 * 3_600,
  },
  probeSeconds: 60,
  callbackPatienceSeconds: 300,
  unfulfilledProofSeconds: 300,
}

export const simulatedTimes: SupplierTimes = {
  timeouts: { connectSeconds: 1, callSeconds: 1 },
  askSchedule: { delaysSeconds: [1, 2, 5, 10, 30], maximumInFlightSeconds: 20, raiseAfterSeconds: 300 },
  // Long enough to see a pause, and short enough to wait for its end.
  probeSeconds: 10,
  callbackPatienceSeconds: 1,
  unfulfilledProofSeconds: 5,
}

/** The simulator's times with more patience for each call, for a machine so busy that an answer may take more than a second. */
export function simulatedTimesWith(callSeconds: number | undefined): SupplierTimes {
  if (callSeconds === undefined) return simulatedTimes
  return { ...simulatedTimes, timeouts: { connectSeconds: callSeconds, callSeconds } }
}
