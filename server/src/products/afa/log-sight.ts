import type { Db } from '../../platform/database/database.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { appendOperatorLog } from '../../platform/operator-log/append-operator-log.ts'

export type Sight = {
  readonly actor: string
  readonly action: 'afa list --reveal' | 'afa export' | 'afa reveal'
  readonly reason: string
}

/** Logs who sees applicants' data, and why. Call it before anything is shown. */
export function logSight(
  db: Db,
  { actor, action, reason }: Sight,
  registrations: readonly { readonly reference: string }[],
): Promise<void> {
  const references = registrations.map(({ reference }) => reference)
  const subject = references.length === 1 ? (references[0] ?? '') : `${references.length} registrations`
  return inTransaction(db, (tx) => appendOperatorLog(tx, { actor, action, subject, details: { reason, references } }))
}
