import { isUtf8 } from 'node:buffer'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { findUnstorableText } from './find-unstorable-text.ts'
import { RefusalError, refusals } from './refusals.ts'

const refuse = (message: string) => new RefusalError(refusals.unreadableBody(message))

/**
 * Makes the only parser of API bodies: JSON in UTF-8, not compressed. Everything that would reach a handler
 * changed from what was sent is refused with 400 (decisions A10: how requests are read; A12b: unreadable bodies are 400):
 * bytes that are not UTF-8, NUL characters and lone surrogates. Of a key that stands twice the last one counts. Keys that
 * could touch an object's prototype are unknown fields like others, and are taken out.
 */
export function parseJsonBodies(app: FastifyInstance): void {
  const parseSafely = app.getDefaultJsonParser('remove', 'remove')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request: FastifyRequest, body: Buffer, done) => {
    const coding = request.headers['content-encoding'] ?? 'identity'
    if (coding.toLowerCase() !== 'identity') {
      return done(refuse('The body is compressed (Content-Encoding); send it as it is, not compressed.'))
    }
    if (body.length === 0) return done(refuse('The body is empty; send a JSON object.'))
    if (!isUtf8(body)) return done(refuse('The body is not valid UTF-8.'))
    const text = body.toString('utf8')
    // Answers through its callback; what it returns says nothing.
    void parseSafely(request, text, (error, value) => {
      if (error) return done(refuse('The body is not valid JSON.'))
      // Both kinds of text that cannot be stored can only come in through an escape.
      const problem = text.includes('\\u') ? findUnstorableText(value) : undefined
      if (problem) return done(refuse(`The body holds ${problem}, which is not accepted.`))
      done(null, value)
    })
  })
}
