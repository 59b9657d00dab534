import { isUtf8 } from 'node:buffer'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { findUnstorableText } from './find-unstorable-text.ts'
import { RefusalError, refusals } from './refusals.ts'

const refuse = (message: string) => new RefusalError(refusals.unreadableBody(message))

/**
 * Adds the only parser of API bodies: JSON in UTF-8, not compressed. Bytes that are not UTF-8, NUL characters and lone
 * surrogates are refused with 400, because they would reach a handler changed (decisions A10: how requests are read; A12b:
 * unreadable bodies are 400). When a key occurs twice, the last one counts. Keys that could change an object's prototype
 * are removed, like any unknown field.
 */
export function parseJsonBodies(app: FastifyInstance): void {
  const parseSafely = app.getDefaultJsonParser('remove', 'remove')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request: FastifyRequest, body: Buffer, done) => {
    const coding = request.headers['content-encoding'] ?? 'identity'
    if (coding.toLowerCase() !== 'identity') {
      return done(refuse('The body is compressed (Content-Encoding); send it as it is, not compressed.'))
    }
    // Some programs send the type of a body even where a route takes none, such as signing out.
    if (body.length === 0 && request.routeOptions.schema?.body === undefined) return done(null)
    if (body.length === 0) return done(refuse('The body is empty; send a JSON object.'))
    if (!isUtf8(body)) return done(refuse('The body is not valid UTF-8.'))
    const text = body.toString('utf8')
    // The parser answers through its callback, so the returned value is not used.
    void parseSafely(request, text, (error, value) => {
      if (error) return done(refuse('The body is not valid JSON.'))
      // Valid JSON holds NUL and lone surrogates only as an escape.
      const problem = text.includes('\\u') ? findUnstorableText(value) : undefined
      if (problem) return done(refuse(`The body holds ${problem}, which is not accepted.`))
      done(null, value)
    })
  })
}
