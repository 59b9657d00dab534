import { randomUUID } from 'node:crypto'
import type { Db } from '../platform/database/database.ts'
import { inTransaction } from '../platform/database/in-transaction.ts'
import { appendOperatorLog } from '../platform/operator-log/append-operator-log.ts'
import type { OpenGateways } from './open-gateways.ts'

/** A gateway's answer to a call that moves no money. */
export type GatewayTest = { readonly isWell: boolean; readonly evidence: string }

/**
 * Asks a gateway about a payment that never existed. With the right address and credentials the gateway answers that it
 * does not know the payment; any other answer means that something is wrong. The test is recorded in the operator's log.
 */
export async function testGateway(
  { db, gateways }: { readonly db: Db; readonly gateways: Pick<OpenGateways, 'find'> },
  name: string,
  actor: string,
): Promise<GatewayTest> {
  const { isWell, evidence } = await ask(gateways, name)
  const details = { is_well: isWell, said: evidence }
  await inTransaction(db, (tx) => appendOperatorLog(tx, { actor, action: 'gateway test', subject: name, details }))
  return { isWell, evidence }
}

async function ask(gateways: Pick<OpenGateways, 'find'>, name: string): Promise<GatewayTest> {
  const gateway = await gateways.find(name)
  if (!gateway)
    return { isWell: false, evidence: 'It is not set up, its credentials cannot be read, or the simulator is not running.' }
  const { meaning, evidence } = await gateway.ask(randomUUID())
  // The operator's log stores neither NUL nor half of a surrogate pair, which the cut may leave.
  return { isWell: meaning === 'not_known', evidence: evidence.replaceAll('\0', '').slice(0, 500).toWellFormed() }
}
