import type { FastifyInstance } from 'fastify'
import type { Reply } from './receipt-queue.ts'
import type { SmscBehaviour } from './smsc-behaviour.ts'
import { smscBehaviourSchema } from './smsc-behaviour.ts'
import type { SmscBind } from './smsc-session.ts'
import type { Smsc } from './start-smsc.ts'

const cutSchema = {
  type: 'object',
  additionalProperties: false,
  properties: { mode: { enum: ['transceiver', 'receiver', 'transmitter'] } },
} as const

const replySchema = {
  type: 'object',
  additionalProperties: false,
  required: ['from', 'to', 'text'],
  properties: {
    from: { type: 'string', maxLength: 20 },
    to: { type: 'string', maxLength: 20 },
    text: { type: 'string', maxLength: 160 },
  },
} as const

/** Routes of the SMSC: its address, its subscribers' texts, and its behaviour for tests. */
export function addSmscRoutes(app: FastifyInstance, smsc: Smsc): void {
  app.get('/smpp', () => ({ port: smsc.port }))

  app.get<{ Querystring: { recipient?: string } }>('/smsc/texts', (request) => ({
    texts: smsc.inbox.texts(request.query.recipient),
  }))

  app.get('/smsc/count', () => ({
    submits: smsc.inbox.count(),
    texts: smsc.inbox.texts().length,
    bound: smsc.bound().length,
    unbinds: smsc.unbinds(),
  }))

  app.get('/smsc/sessions', () => ({ sessions: smsc.bound() }))

  /** Recipients to whom more than one text was sent. */
  app.get('/smsc/repeats', () => ({ repeats: smsc.inbox.repeats() }))

  app.get('/control/smsc', () => smsc.behaviour)

  app.post<{ Body: Partial<SmscBehaviour> }>('/control/smsc', { schema: { body: smscBehaviourSchema } }, (request) => {
    smsc.changeBehaviour(request.body)
    return smsc.behaviour
  })

  app.delete('/control/smsc', () => {
    smsc.resetBehaviour()
    return smsc.behaviour
  })

  app.post<{ Body: Reply }>('/control/smsc/reply', { schema: { body: replySchema } }, async (request) => {
    await smsc.reply(request.body)
    return { status: 'taken' }
  })

  app.post<{ Body: { mode?: SmscBind['mode'] } }>('/control/smsc/cut', { schema: { body: cutSchema } }, (request) => {
    smsc.cut(request.body.mode)
    return { status: 'cut' }
  })
}
