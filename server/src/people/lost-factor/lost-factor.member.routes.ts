import Type from 'typebox'
import { Envelope, ok } from '../../platform/http/envelope.ts'
import type { Api } from '../../platform/http/route-types.ts'
import { browserOf } from '../browser.ts'
import { Accepted, accepted, LinkToken } from '../people.schemas.ts'
import type { PeopleDeps } from '../people-deps.ts'
import { reportLostFactor, stopLostFactorByLink, stopOwnLostFactor } from './lost-factors.ts'

const tags = ['Sign-in']

export function registerLostFactorRoutes(app: Api, deps: PeopleDeps): void {
  app.post(
    '/second-factor/lost',
    {
      config: { permission: 'anyone', refusals: [401, 403, 409, 429] },
      schema: {
        operationId: 'reportLostFactor',
        tags,
        summary: 'Say that the phone and the back-up codes are lost, while a sign-in waits for a code',
        description: 'The operator decides. Every session and the e-mail of the person are told, and can stop it.',
        response: { 200: Envelope(Accepted) },
      },
    },
    async (request) => {
      const personId = await reportLostFactor(deps, browserOf(request))
      request.log.info({ personId }, 'a person said that the second factor is lost')
      return ok(accepted)
    },
  )
  app.post(
    '/second-factor/keep',
    {
      config: { permission: 'person' },
      schema: {
        operationId: 'keepSecondFactor',
        tags,
        summary: 'Stop that the second factor is taken away',
        response: { 200: Envelope(Accepted) },
      },
    },
    async (request) => {
      const { personId } = request.person
      if (await stopOwnLostFactor(deps.db, personId)) request.log.info({ personId }, 'a person kept the second factor')
      return ok(accepted)
    },
  )
  app.post(
    '/second-factor/keep-by-link',
    {
      config: { permission: 'anyone', refusals: [429] },
      schema: {
        operationId: 'keepSecondFactorByLink',
        tags,
        summary: 'Stop that the second factor is taken away, with the link of the mail',
        body: Type.Object({ token: LinkToken }),
        response: { 200: Envelope(Accepted) },
      },
    },
    async (request) => {
      await stopLostFactorByLink(deps, request.body.token, request.ip)
      return ok(accepted)
    },
  )
}
