import type { Tx } from '../database/database.ts'

/** Something a person did by hand. `details` must hold no secret: the log is kept for ever. */
export type OperatorAct = {
  /** Who, such as `cli:ama`, a name given with `--by`, or an operator's e-mail. The user who typed it is added by the database. */
  readonly actor: string
  /** What, in the words of the command line: `key revoke`. */
  readonly action: string
  /** On what: an id or a name. */
  readonly subject: string
  readonly details?: Readonly<Record<string, unknown>>
}

/** Appends to the operator's log in the transaction that does the thing, so that neither exists without the other. */
export async function appendOperatorLog(tx: Tx, act: OperatorAct): Promise<void> {
  await tx
    .insertInto('operator_log')
    .values({ actor: act.actor, action: act.action, subject: act.subject, details: JSON.stringify(act.details ?? {}) })
    .execute()
}
