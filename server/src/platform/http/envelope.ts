import type { FastifyReply } from 'fastify'
import Type, { type TSchema } from 'typebox'
import type { Refusal } from './refusals.ts'

/** The success envelope around `data` (contract, Envelopes). */
export type Success<T> = { success: true; data: T; meta: { timestamp: string; version: 'v2' } }

/** Wraps an endpoint's data in the success envelope, with this process's time in UTC. */
export function ok<T>(data: T): Success<T> {
  return { success: true, data, meta: { timestamp: new Date().toISOString(), version: 'v2' } }
}

/** The content type of answers in JSON. */
export const jsonContentType = 'application/json; charset=utf-8'

/** The content type of an answer that goes on until the client disconnects (server-sent events). */
export const eventStreamType = 'text/event-stream'

/** Answers with the success envelope around `data` that is JSON already. */
export function sendJson(reply: FastifyReply, data: string): FastifyReply {
  const meta = `{"timestamp":"${new Date().toISOString()}","version":"v2"}`
  return reply.type(jsonContentType).send(`{"success":true,"data":${data},"meta":${meta}}`)
}

const Meta = Type.Object(
  {
    timestamp: Type.String({ format: 'date-time', description: 'When the answer was made, in UTC.' }),
    version: Type.Literal('v2'),
  },
  { title: 'Meta' },
)

export function Envelope<Data extends TSchema>(data: Data) {
  const { title } = data as { title?: string }
  return Type.Object({ success: Type.Literal(true), data, meta: Meta }, title === undefined ? {} : { title: `${title}Envelope` })
}

/** The schema of the error envelope: exactly the contract's fields. */
export const ErrorEnvelope = Type.Object(
  {
    success: Type.Literal(false),
    error: Type.Object(
      {
        code: Type.Integer({ description: 'The HTTP status.' }),
        message: Type.String({ description: 'What is wrong and what to do, for people.' }),
      },
      { title: 'ApiErrorDetail' },
    ),
  },
  { title: 'ApiError', additionalProperties: false },
)

export function errorBody(refusal: Refusal): string {
  return JSON.stringify({ success: false, error: { code: refusal.status, message: refusal.message } })
}
