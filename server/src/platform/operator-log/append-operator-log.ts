import { AsyncLocalStorage } from 'node:async_hooks'
import type { Tx } from '../database/database.ts'

const addresses = new AsyncLocalStorage<string>()

/**
 * Runs work for a person at this network address. Every line that the work writes to the operator's log has the address. It is
 * no parameter of the functions in between, because they also serve the command line, which has none.
 *
 * @param address the IP address of the request
 */
export function actFrom<T>(address: string, work: () => T): T {
  return addresses.run(address, work)
}

/** The IP address of the person at the desk for whom this code runs; undefined in the app, in commands and in workers. */
export function actingAddress(): string | undefined {
  return addresses.getStore()
}

/** An action, usually of a person. `details` must hold no secret, because the log is kept for ever. */
export type OperatorAct = {
  /**
   * `cli:ama`, a name given with `--by`, an e-mail of the staff, `person:` and a member's e-mail, or `worker` for automatic
   * actions. For a command the database adds the user of the operating system.
   */
  readonly actor: string
  /** The action in the words of the command line, such as `key revoke`. */
  readonly action: string
  /** The id or the name of the changed thing. */
  readonly subject: string
  readonly details?: Readonly<Record<string, unknown>>
}

/**
 * Appends to the operator's log in the transaction of the action, so that neither exists without the other. An action at
 * the desk has the person's IP address in its details.
 */
export async function appendOperatorLog(tx: Tx, act: OperatorAct): Promise<void> {
  const { actor, action, subject } = act
  const address = actingAddress()
  const details = JSON.stringify({ ...act.details, ...(address !== undefined && { address }) })
  await tx.insertInto('operator_log').values({ actor, action, subject, details }).execute()
}
