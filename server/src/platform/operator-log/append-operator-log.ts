import type { Tx } from '../database/database.ts'

/** An action of a person. `details` must hold no secret, because the log is kept for ever. */
export type OperatorAct = {
  /** The person: `cli:ama`, a name given with `--by`, or an operator's e-mail. The database adds the user who typed it. */
  readonly actor: string
  /** The action in the words of the command line, such as `key revoke`. */
  readonly action: string
  /** The thing that was changed: its id or its name. */
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
