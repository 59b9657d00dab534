import type { SupplierReply } from '../calling/call-supplier.ts'
import { evidenceFrom } from '../calling/evidence.ts'
import { readJsonObject, textField } from '../calling/read-json.ts'
import type { RegistrationAnswer } from '../registration-port.ts'

const states = ['registered', 'pending', 'not_registered'] as const

/** A submission may be answered with 202: the number is registered later. */
const goodStatusCodes: ReadonlySet<number> = new Set([200, 201, 202])

/** The server answers that our key is wrong, or that it may not do this. */
const refusalStatusCodes: ReadonlySet<number> = new Set([401, 403])

/**
 * Translates the answer to `GET /registrations/{number}` and to `POST /registrations`. Only a complete answer about this
 * number in the server's own words counts. Everything else is `unavailable`, even a 404, which a proxy or a wrong address
 * can give too.
 */
export function translateRegistration(reply: SupplierReply, number: string): RegistrationAnswer {
  const evidence = evidenceFrom(reply)
  if (reply.kind !== 'answered') {
    return { meaning: 'unavailable', evidence, contact: reply.kind === 'not_sent' ? 'unasked' : 'silent', isRefusal: false }
  }
  const body = readJsonObject(reply.body)
  const state = states.find((known) => known === textField(body, 'state'))
  const isUsable = goodStatusCodes.has(reply.status) && textField(body, 'number') === number
  const isRefusal = refusalStatusCodes.has(reply.status)
  return { meaning: isUsable && state ? state : 'unavailable', evidence, contact: 'answered', isRefusal }
}
