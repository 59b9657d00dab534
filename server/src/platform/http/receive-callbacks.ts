import type { FastifyInstance } from 'fastify'
import { limitBodies } from './limit-bodies.ts'

/**
 * Prepares a scope for callbacks of suppliers and payment gateways. It asks for no API key. `request.body` is a Buffer with the raw bytes,
 * whatever their type, because signatures are made over the bytes.
 */
export function receiveCallbacks(app: FastifyInstance, bodyBytes: number): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  limitBodies(app, () => bodyBytes)
  app.addHook('onRoute', (route) => {
    route.schema = { ...route.schema, hide: true }
  })
}
