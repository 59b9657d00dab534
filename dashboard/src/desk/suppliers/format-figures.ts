import { suppliersWords } from '../words/suppliers.ts'

/** A time as people say it: `420 ms`, `4.2 s`, `3 min`, `2.1 h`; a dash for null. */
export function formatTime(milliseconds: number | null): string {
  if (milliseconds === null) return suppliersWords.none
  if (milliseconds < 1_000) return `${Math.round(milliseconds)} ms`
  const seconds = milliseconds / 1_000
  if (seconds < 10) return `${seconds.toFixed(1)} s`
  if (seconds < 90) return `${Math.round(seconds)} s`
  if (seconds < 5_400) return `${Math.round(seconds / 60)} min`
  return `${(seconds / 3_600).toFixed(1)} h`
}

/** A part of 1 in percent: `97.4 %`; a dash for null. `100 %` is shown only when the part is exactly 1. */
export function formatPart(part: number | null): string {
  if (part === null) return suppliersWords.none
  const percent = Math.floor(part * 1_000) / 10
  return `${percent === 100 ? '100' : percent.toFixed(1)} %`
}
