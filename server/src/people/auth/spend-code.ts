import { createHmac, timingSafeEqual } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'

/** Each code belongs to a time step of this length (RFC 6238). */
const stepMilliseconds = 30_000

/**
 * The codes of so many steps before and after the present one are compared. The library compares one step fewer on each side; a
 * step may end between its look and ours.
 */
const stepsAround = 2

function codeOf(secret: string, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const digest = createHmac('sha1', secret).update(counter).digest()
  const offset = (digest.at(-1) ?? 0) & 0xf
  return String((digest.readUInt32BE(offset) & 0x7f_ff_ff_ff) % 1_000_000).padStart(6, '0')
}

/** Finds the time step near a moment to which a code belongs. Undefined: the code belongs to none of them. */
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
 * Notes that a person's code was given, so that it works once: a code of the same step or an earlier one is spent. Two
 * requests with the same code are decided by the row.
 *
 * @param secret the person's, as the library made it
 * @returns false when the code was spent before; true also for a code that is wrong, which the library refuses
 */
export async function spendCode(db: Db, personId: string, secret: string, code: string): Promise<boolean> {
  const step = stepOf(secret, code, Date.now())
  if (step === undefined) return true
  const { numAffectedRows = 0n } = await sql`
    update person_two_factors set last_code_step = ${step}
    where person_id = ${personId} and coalesce(last_code_step, 0) < ${step}`.execute(db)
  return numAffectedRows > 0n
}
