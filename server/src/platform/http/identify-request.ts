import type { IncomingMessage } from 'node:http'
import { newId } from '../database/new-id.ts'

/** What a caller may choose: printable, short, nothing that could break a log line or a header. */
const saneRequestId = /^[A-Za-z0-9._-]{8,64}$/

/** The request's id in the log and in `X-Request-Id`: the caller's own when it is sane, else a new UUIDv7. */
export function identifyRequest(request: Pick<IncomingMessage, 'headers'>): string {
  const asked = request.headers['x-request-id']
  return typeof asked === 'string' && saneRequestId.test(asked) ? asked : newId()
}
