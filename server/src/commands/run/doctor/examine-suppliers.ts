import type { Config } from '../../../config.ts'
import type { Db } from '../../../platform/database/database.ts'
import { findSimulator } from '../../../suppliers/registry/find-simulator.ts'
import type { Finding } from './finding.ts'

const topic = 'suppliers'
const answerMilliseconds = 2_000

async function examineSimulator(config: Config): Promise<Finding> {
  const url = await findSimulator(config)
  const answers =
    url !== undefined &&
    (await fetch(`${url}/health`, { signal: AbortSignal.timeout(answerMilliseconds) }).catch(() => undefined))
  if (answers) return { level: 'ok', topic, message: `The simulator answers at ${url}.` }
  return { level: 'warning', topic, message: 'The simulator does not run; orders wait until it does. `makola start` runs it.' }
}

/**
 * Checks that some supplier is enabled. Checks that each enabled one has an address and credentials or, with simulated
 * suppliers, that the simulator runs. Reports every paused route.
 */
export async function examineSuppliers(config: Config, db: Db): Promise<Finding[]> {
  const suppliers = await db.selectFrom('suppliers').selectAll().where('is_enabled', '=', true).orderBy('name').execute()
  const paused = await db.selectFrom('routes').selectAll().where('state', '=', 'paused').execute()
  const findings: Finding[] = []
  if (config.suppliers === 'simulator') {
    findings.push(await examineSimulator(config))
  } else {
    for (const supplier of suppliers.filter((each) => each.base_url === null || each.credentials === null)) {
      const missing = supplier.base_url === null ? 'address' : 'credentials'
      const message = `The supplier ${supplier.name} has no ${missing}. Set it with \`makola supplier set ${supplier.name} …\`.`
      findings.push({ level: 'problem', topic, message })
    }
  }
  if (suppliers.length === 0)
    findings.push({ level: 'problem', topic, message: 'No supplier is enabled: nothing can be delivered.' })
  for (const route of paused) {
    const name = `${route.supplier}/${route.product}/${route.network}`
    findings.push({ level: 'warning', topic: 'routes', message: `The route ${name} is paused: ${route.paused_reason}.` })
  }
  const isWell = findings.every((finding) => finding.level === 'ok')
  if (isWell) findings.push({ level: 'ok', topic, message: `Enabled: ${suppliers.map((each) => each.name).join(', ')}.` })
  return findings
}
