import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Tx } from '../database/database.ts'
import { ApprovalRefusedError } from './approval-kind.ts'
import type { Person } from './two-people.ts'

/** A page's request, to compare with a later one. The reason is left out: a person may word it differently the next time. */
type PageRequest = {
  readonly kind: string
  readonly subject: string
  readonly request: unknown
  readonly person: Person
}

type Answered = { readonly approvalId: string; readonly status: 'pending' | 'done' }

function hashOf({ kind, subject, request, person }: PageRequest): string {
  const text = JSON.stringify([kind, subject, request, person.personId ?? person.by])
  return createHash('sha256').update(text).digest('base64url')
}

/**
 * Finds the earlier answer under a reference. Other requests with this reference wait until this transaction ends.
 *
 * @returns undefined for a new reference
 * @throws ApprovalRefusedError when the earlier request with the reference was another one
 */
export async function answerAgain(tx: Tx, reference: string, request: PageRequest): Promise<Answered | undefined> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`makola approval reference ${reference}`}, 0))`.execute(tx)
  const found = await tx.selectFrom('approval_references').selectAll().where('reference', '=', reference).executeTakeFirst()
  if (!found) return undefined
  if (found.said !== hashOf(request)) {
    throw new ApprovalRefusedError(`The reference ${reference} was used for something else before. Nothing was changed.`)
  }
  return { approvalId: found.approval_id, status: found.status }
}

export async function wasAnswered(tx: Tx, reference: string): Promise<boolean> {
  const found = await tx
    .selectFrom('approval_references')
    .select('reference')
    .where('reference', '=', reference)
    .executeTakeFirst()
  return found !== undefined
}

export async function storeAnswer(
  tx: Tx,
  reference: string,
  request: PageRequest,
  { approvalId, status }: Answered,
): Promise<void> {
  await tx
    .insertInto('approval_references')
    .values({ reference, approval_id: approvalId, status, said: hashOf(request) })
    .execute()
}
