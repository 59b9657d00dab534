import { createHmac, timingSafeEqual } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'

/** The time step of a code (RFC 6238). */
const stepMilliseconds = 30_000

/**
 * The number of time steps before and after the present one whose codes are accepted: one more than the library accepts, because
 * a step may end between its check and ours.
 */
const stepsAround = 2

function codeOf(secret: string, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const digest = createHmac('sha1', secret).update(counter).digest()
  const offset = (digest.at(-1) ?? 0) & 0xf
  return String((digest.readUInt32BE(offset) & 0x7f_ff_ff_ff) % 1_000_000).padStart(6, '0')
}

/** Finds the time step near `now` to which a code belongs; undefined when there is none. */
function stepOf(secret: string, code: string, now: number): number | undefined {
  const present = Math.floor(now / stepMilliseconds)
  const given = Buffer.from(code)
  for (let step = present - stepsAround; step <= present + stepsAround; step += 1) {
    const meant = Buffer.from(codeOf(secret, step))
    if (meant.length === given.length && timingSafeEqual(meant, given)) return step
  }
  return undefined
}

/**
 * Uses up a code, so that it works once: codes of the same or an earlier time step are refused from then on. The row decides
 * between two requests with the same code.
 *
 * @param secret the person's, as the library made it
 * @returns false when this code or a later one was used before; true also for a wrong code, which the library refuses
 */
export async function consumeCode(db: Db, personId: string, secret: string, code: string): Promise<boolean> {
  const step = stepOf(secret, code, Date.now())
  if (step === undefined) return true
  const { numAffectedRows = 0n } = await sql`
    update person_two_factors set last_code_step = ${step}
    where person_id = ${personId} and coalesce(last_code_step, 0) < ${step}`.execute(db)
  return numAffectedRows > 0n
}
