import { Envelope, ok } from '../../platform/http/envelope.ts'
import type { Api } from '../../platform/http/route-types.ts'
import { dataRefusals } from './data.refusals.ts'
import { NumberCheck, ServerNumberCheck, VerifyNumberBody } from './data.schemas.ts'
import { dataLimits, dataSwitchedOff } from './data.settings.ts'
import { type VerifyNumberDeps, verifyNumber, verifyNumberOnServer } from './verify-number.ts'

/** Registers the three checks of a number's registration (contract, Verify-number endpoints). They share one rate limit. */
export function registerVerifyNumberRoutes(api: Api, deps: VerifyNumberDeps): void {
  api.post(
    '/data/verify-number',
    {
      config: { keyType: 'standard', limit: dataLimits.verifyNumber, changesNothing: true, refusals: [400, dataSwitchedOff] },
      schema: {
        tags: ['Data bundles'],
        operationId: 'verifyNumber',
        summary: 'Check whether a number can receive bundles',
        description:
          'Optional; meant for your checkout. MTN numbers must be registered; one that is not is submitted for registration by this call, so call again later. When registration cannot be checked, the number is allowed. A purchase checks again.',
        body: VerifyNumberBody,
        response: { 200: Envelope(NumberCheck) },
      },
    },
    async ({ body }) => ok({ recipient: body.recipient, network: body.network, allowed: await verifyNumber(deps, body) }),
  )

  for (const server of [1, 2] as const) {
    api.post(
      `/data/verify-number/server-${server}`,
      {
        config: {
          keyType: 'standard',
          limit: dataLimits.verifyNumber,
          changesNothing: true,
          refusals: [400, dataRefusals.registrationServerUnreachable(server), dataSwitchedOff],
        },
        schema: {
          tags: ['Data bundles'],
          operationId: `verifyNumberOnServer${server}`,
          summary: `Check whether a number is registered on server ${server}`,
          description: `The state of the number on server ${server} alone, whether or not purchases go by it. An MTN number that is not registered there is submitted to it. When the server cannot be reached the answer is 502, never a guess.`,
          body: VerifyNumberBody,
          response: { 200: Envelope(ServerNumberCheck(server)) },
        },
      },
      async ({ body }) => {
        const allowed = await verifyNumberOnServer(deps, server, body)
        return ok({ recipient: body.recipient, network: body.network, server, allowed })
      },
    )
  }
}
