import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyError, FastifyInstance, FastifyReply } from 'fastify'
import type { RequestRecord } from '../control/record-requests.ts'
import type { LostAnswers } from '../lost-answers.ts'
import type { Registry } from './open-registry.ts'
import {
  changeRegistrationBehaviour,
  defaultRegistrationBehaviour,
  type RegistrationBehaviour,
  type RegistrationChange,
  type RegistrationOutage,
  registrationChangeSchema,
  viewRegistrationBehaviour,
} from './registration-behaviour.ts'
import {
  findRegistrationOutcome,
  isUnreachable,
  type RegistrationServerNo,
  registrationServers,
} from './registration-outcomes.ts'

export type RegistrationStandIn = {
  readonly registry: Registry
  readonly behaviour: RegistrationBehaviour
  readonly apiKey: string
  readonly lost: LostAnswers
  readonly requests: RequestRecord
}

const throttledSeconds = 1

const outageAnswers: Readonly<Partial<Record<RegistrationOutage, (reply: FastifyReply, lost: LostAnswers) => unknown>>> = {
  refuse: (reply, lost) => lost.cut(reply),
  hang: (reply, lost) => lost.hang(reply),
  error: (reply) => reply.code(500).type('text/html').send('<!DOCTYPE html><html><body>Internal Server Error</body></html>'),
  garbage: (reply) => reply.code(200).type('application/json').send('{"number":"02'),
  throttle: (reply) => reply.code(429).header('retry-after', throttledSeconds).send({ error: 'too many requests' }),
  unauthorised: (reply) => reply.code(401).send({ error: 'the key is not valid' }),
}

function readNumber(request: { readonly body: unknown; readonly params: unknown }): string | undefined {
  const inPath = (request.params as { number?: string } | undefined)?.number
  const inBody = (request.body as { number?: unknown } | null | undefined)?.number
  return inPath ?? (typeof inBody === 'string' ? inBody : undefined)
}

function addServerRoutes(app: FastifyInstance, server: RegistrationServerNo, standIn: RegistrationStandIn): void {
  const { registry, behaviour } = standIn

  app.addHook('preHandler', async (request, reply) => {
    const number = readNumber(request)
    if (number !== undefined) standIn.requests.setReference(request, number)
    if (behaviour.answerMilliseconds > 0) await wait(behaviour.answerMilliseconds)
    const isCut = number !== undefined && isUnreachable(findRegistrationOutcome(number, behaviour.scripts), server)
    const outage = isCut ? 'refuse' : behaviour.outages[server]
    const answer = outageAnswers[outage]
    if (answer) {
      answer(reply, standIn.lost)
      return reply
    }
    if (request.headers['x-api-key'] !== standIn.apiKey) {
      return reply.code(401).send({ error: 'the key is missing or not valid' })
    }
    if (number === undefined || !/^0\d{9}$/.test(number)) {
      return reply.code(400).send({ error: 'number must have 10 digits and start with 0' })
    }
    return undefined
  })

  app.get<{ Params: { number: string } }>('/registrations/:number', ({ params: { number } }) => ({
    number,
    state: registry.stateOf(server, number),
  }))

  app.post<{ Body: { number: string } }>('/registrations', async (request, reply) => {
    const { number } = request.body
    const state = await registry.submit(server, number)
    return reply.code(state === 'registered' ? 200 : 202).send({ number, state })
  })
}

/** Both registration servers, under `/registration/1` and `/registration/2`, as the README describes them. */
export async function addRegistrationRoutes(app: FastifyInstance, standIn: RegistrationStandIn): Promise<void> {
  app.setErrorHandler<FastifyError>((error, request, reply) => {
    const isTheirs = error.statusCode !== undefined && error.statusCode < 500
    if (!isTheirs) request.log.error({ err: error }, 'a request failed')
    return isTheirs ? reply.code(400).send({ error: error.message }) : reply.code(500).send({ error: 'something went wrong' })
  })
  for (const server of registrationServers) {
    await app.register(async (scope) => addServerRoutes(scope, server, standIn), { prefix: `/registration/${server}` })
  }
}

export function addRegistrationControlRoutes(app: FastifyInstance, behaviour: RegistrationBehaviour, timeScale: number): void {
  app.get('/control/registration', () => viewRegistrationBehaviour(behaviour))

  app.post<{ Body: RegistrationChange }>('/control/registration', { schema: { body: registrationChangeSchema } }, (request) => {
    changeRegistrationBehaviour(behaviour, request.body)
    return viewRegistrationBehaviour(behaviour)
  })

  app.delete('/control/registration', () => {
    const { scripts, ...rest } = defaultRegistrationBehaviour(timeScale)
    behaviour.scripts.clear()
    changeRegistrationBehaviour(behaviour, { ...rest, scripts: Object.fromEntries(scripts) })
    return viewRegistrationBehaviour(behaviour)
  })
}
