/**
 * Endings of a purchase at a supplier:
 * - `delivered`: accepts, delivers after the usual time
 * - `recipient_rejected`: refuses the number for good
 * - `delivered_late`: accepts, stays pending for long, then delivers
 * - `answer_lost`: delivers at once, and its answer is lost
 * - `never_received`: never gets the request, so there is no answer
 * - `page_then_failed`: answers HTTP 500 with an HTML page; the order has failed
 * - `float_refused`: answers that our float is empty
 * - `failed_later`: accepts, then fails
 * - `duplicate`: answers that an earlier purchase exists, which was delivered
 * - `unreadable`: answers HTTP 200 with an unreadable body, then delivers
 */
export const scriptedOutcomes = [
  'delivered',
  'recipient_rejected',
  'delivered_late',
  'answer_lost',
  'never_received',
  'page_then_failed',
  'float_refused',
  'failed_later',
  'duplicate',
  'unreadable',
] as const

export type ScriptedOutcome = (typeof scriptedOutcomes)[number]

/** The outcome for each ending of the recipient's number, its last three digits. Every supplier of data has the same table. */
const outcomesByEnding: ReadonlyMap<string, ScriptedOutcome> = new Map([
  ['901', 'recipient_rejected'],
  ['902', 'delivered_late'],
  ['903', 'answer_lost'],
  ['904', 'never_received'],
  ['905', 'page_then_failed'],
  ['906', 'float_refused'],
  ['907', 'failed_later'],
  ['908', 'duplicate'],
  ['909', 'unreadable'],
])

/** This key of `scripts` gives the outcome of all recipients that match no other key. */
export const anyRecipient = '*'

/** Finds a recipient's outcome. `scripts` (by last digits, or `*`) come before the table; the longest match wins. */
export function findScriptedOutcome(recipient: string, scripts: ReadonlyMap<string, ScriptedOutcome>): ScriptedOutcome {
  if (scripts.size > 0) {
    for (let start = 0; start < recipient.length; start += 1) {
      const scripted = scripts.get(recipient.slice(start))
      if (scripted) return scripted
    }
  }
  return scripts.get(anyRecipient) ?? outcomesByEnding.get(recipient.slice(-3)) ?? 'delivered'
}
