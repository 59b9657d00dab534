import { randomUUID } from 'node:crypto'
import type { OpenGateways } from './open-gateways.ts'

/** What a gateway said to a call that moves nothing. */
export type GatewayTest = { readonly isWell: boolean; readonly evidence: string }

/**
 * Asks a gateway about a payment that there never was. One that is reached with the right credentials says that it does
 * not know it; whatever else comes is shown in the gateway's own words.
 */
export async function testGateway(gateways: Pick<OpenGateways, 'find'>, name: string): Promise<GatewayTest> {
  const gateway = await gateways.find(name)
  if (!gateway) return { isWell: false, evidence: 'It is not set up, or the simulator is not running.' }
  const { meaning, evidence } = await gateway.ask(randomUUID())
  return { isWell: meaning === 'not_known', evidence: evidence.slice(0, 500) }
}
