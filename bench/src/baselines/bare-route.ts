import type { AddressInfo } from 'node:net'
import fastify from 'fastify'
import type { Config } from '../../../server/src/config.ts'
import { Envelope } from '../../../server/src/platform/http/envelope.ts'
import { tlsRules } from '../../../server/src/platform/http/listener/create-listener.ts'
import { prepareTransport } from '../../../server/src/platform/http/listener/prepare-transport.ts'
import { compileValidator } from '../../../server/src/platform/http/read-requests.ts'
import { DataPurchase, DataPurchaseBody } from '../../../server/src/products/data/data.schemas.ts'
import { answerEmptyPurchase } from './empty-route.ts'

export const bareRoutePath = '/bare'

/**
 * One HTTPS route in a bare Fastify that validates a purchase and answers in our envelope: no key, no limits, no log, no
 * database. Any platform on Fastify costs at least this much.
 */
export async function startBareRoute(config: Config): Promise<{ port: number; close(): Promise<void> }> {
  const transport = await prepareTransport(config.tls, config)
  if (transport.kind !== 'tls') throw new Error('the bare route speaks HTTPS')
  const app = fastify({ https: { cert: transport.certificate, key: transport.key, ...tlsRules } })
  app.setValidatorCompiler(compileValidator)
  app.post<{ Body: DataPurchaseBody }>(
    bareRoutePath,
    { schema: { body: DataPurchaseBody, response: { 200: Envelope(DataPurchase) } } },
    async ({ body }) => answerEmptyPurchase(body),
  )
  await app.listen({ host: config.host, port: config.port })
  return { port: (app.server.address() as AddressInfo).port, close: () => app.close() }
}
