import type { Tx } from '../database/database.ts'
import { actingAddress } from './acting-address.ts'

/** An action, usually of a person. `details` must hold no secret, because the log is kept for ever. */
export type OperatorAct = {
  /**
   * Who did it: `cli:ama`, a name given with `--by`, an e-mail of the staff, `person:` and a member's e-mail, or `worker`
   * for what happens by itself. For a command the database adds the user who typed it.
   */
  readonly actor: string
  /** The action in the words of the command line, such as `key revoke`. */
  readonly action: string
  /** The thing that was changed: its id or its name. */
  readonly subject: string
  readonly details?: Readonly<Record<string, unknown>>
}

/**
 * Appends to the operator's log in the transaction that does the thing, so that neither exists without the other. What a
 * person does in the browser has the address in its details.
 */
export async function appendOperatorLog(tx: Tx, act: OperatorAct): Promise<void> {
  const { actor, action, subject } = act
  const address = actingAddress()
  const details = JSON.stringify({ ...act.details, ...(address !== undefined && { address }) })
  await tx.insertInto('operator_log').values({ actor, action, subject, details }).execute()
}
