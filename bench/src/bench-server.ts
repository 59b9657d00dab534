import process from 'node:process'
import { startApi } from '../../server/src/api.ts'
import { readConfig } from '../../server/src/config.ts'
import type { OrderKind } from '../../server/src/orders/order-kind.ts'
import { createLog } from '../../server/src/platform/create-log.ts'
import { dataKind } from '../../server/src/products/data/data.kind.ts'
import { startBareRoute } from './baselines/bare-route.ts'
import { registerEmptyRoute } from './baselines/empty-route.ts'
import { openTextbookIntake } from './baselines/textbook-intake.ts'

/**
 * One API process under measurement: with the empty route beside the real ones, or a bare route alone. Started as
 * `bench-server.ts <candidate|textbook|bare> <database address>`. Sends its port to the bench over the channel, and ends
 * when the bench closes it.
 */
const [, , way, url = ''] = process.argv

const config = readConfig()
const database = { url, role: 'makola_app' }

function startOurs() {
  const kinds = new Map([[dataKind.name, dataKind as unknown as OrderKind]])
  return startApi({
    config,
    database,
    log: createLog({ role: 'api', level: config.logLevel }),
    registerMore: registerEmptyRoute,
    ...(way === 'textbook' ? { intake: openTextbookIntake(database, kinds) } : {}),
  })
}

const server = way === 'bare' ? await startBareRoute(config) : await startOurs()
process.on('disconnect', () => void server.close().then(() => process.exit(0)))
process.send?.({ port: server.port })
