import process from 'node:process'

/**
 * Loaded with `--import` before a process of the product. Shifts its wall clock, as on a machine whose clock was never set;
 * the monotonic clock stays.
 */
const shiftMilliseconds = Number(process.env['CLOCK_SHIFT_HOURS'] ?? 0) * 3_600_000
const RealDate = Date

class ShiftedDate extends RealDate {
  constructor(...given: unknown[]) {
    if (given.length === 0) super(RealDate.now() + shiftMilliseconds)
    else super(...(given as [number]))
  }
  static override now(): number {
    return RealDate.now() + shiftMilliseconds
  }
}

globalThis.Date = ShiftedDate as DateConstructor
