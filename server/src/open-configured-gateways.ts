import type { Config } from './config.ts'
import { type GatewayDeps, type OpenGateways, openGateways } from './gateways/open-gateways.ts'
import { findSimulator } from './suppliers/registry/find-simulator.ts'

type GatewayConfig = Pick<Config, 'publicUrl' | 'suppliers' | 'simulatorUrl' | 'dataDir'>

/** Opens the payment gateways of a process. With the simulator all gateways are open, with the simulator's credentials. */
export function openConfiguredGateways(
  config: GatewayConfig,
  { db, secretsKeys, log }: Pick<GatewayDeps, 'db' | 'secretsKeys' | 'log'>,
): OpenGateways {
  const { publicUrl, suppliers } = config
  return openGateways({
    db,
    secretsKeys,
    log,
    publicUrl,
    ...(suppliers === 'simulator' && { findSimulator: () => findSimulator(config) }),
  })
}
