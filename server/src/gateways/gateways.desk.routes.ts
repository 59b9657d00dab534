import Type from 'typebox'
import { listProposalsOf } from '../platform/approvals/list-approvals.ts'
import type { Db } from '../platform/database/database.ts'
import { Envelope, ok } from '../platform/http/envelope.ts'
import { RefusalError, refuse } from '../platform/http/refusals.ts'
import type { Api } from '../platform/http/route-types.ts'
import { GivenReason, Nullable, sensitive, Uuid } from '../platform/http/schemas.ts'
import type { SecretsKeys } from '../platform/secrets/secrets-keys.ts'
import { changeGateway, gatewayKind } from './change-gateway.ts'
import { gatewayAdapters } from './gateway-adapters.ts'
import type { OpenGateways } from './open-gateways.ts'
import { testGateway } from './test-gateway.ts'
import { GatewayChangeError, listGateways } from './write-gateway.ts'

type GatewayDeskDeps = {
  readonly db: Db
  readonly secretsKeys: SecretsKeys
  readonly gateways: OpenGateways
  readonly isLive: boolean
}

const tags = ['Gateways']
const names = gatewayAdapters.map(({ name }) => name)
const noSuchGateway = refuse(404, 'gateway_not_found', 'There is no such gateway.')

const GatewayPath = Type.Object({
  gateway: Type.String({ minLength: 1, maxLength: 40, description: `One of ${names.join(', ')}.` }),
})

const GatewayBody = Type.Object({
  is_enabled: Type.Optional(Type.Boolean()),
  credentials: Type.Optional(
    Type.Record(Type.String({ maxLength: 60 }), Type.String({ minLength: 1, maxLength: 2_000, ...sensitive }), {
      description: 'By their names, as the list gives them; one that is left out stays as it is. They are never shown again.',
    }),
  ),
  reason: GivenReason,
})

const GatewayList = Type.Object(
  {
    is_simulated: Type.Boolean({ description: 'Whether the simulator plays all gateways, whatever is set here.' }),
    gateways: Type.Array(
      Type.Object({
        gateway: Type.String(),
        title: Type.String({ description: 'What payers choose.' }),
        company: Type.String(),
        is_set_up: Type.Boolean(),
        is_enabled: Type.Boolean({ description: 'Whether it is offered to payers.' }),
        base_url: Type.String(),
        proposal: Nullable(Uuid({ description: 'The proposal of other credentials, which waits for a second person.' })),
        credentials: Type.Array(
          Type.Object({
            name: Type.String(),
            is_set: Type.Boolean({ description: 'Whether one is stored. None is ever shown.' }),
          }),
        ),
      }),
    ),
  },
  { title: 'GatewayList' },
)

const GatewayTestResult = Type.Object(
  {
    is_well: Type.Boolean({ description: 'Whether it answered as it should, with our credentials.' }),
    said: Type.String({ description: 'What it said.' }),
  },
  { title: 'GatewayTestResult' },
)

async function viewGateways({ db, secretsKeys, isLive }: GatewayDeskDeps) {
  const [rows, proposals] = await Promise.all([listGateways(db, secretsKeys), listProposalsOf(db, gatewayKind)])
  return {
    is_simulated: !isLive,
    gateways: gatewayAdapters.map((adapter) => {
      const row = rows.find(({ name }) => name === adapter.name)
      return {
        gateway: adapter.name,
        title: adapter.title,
        company: adapter.company,
        is_set_up: row !== undefined,
        is_enabled: row?.is_enabled ?? false,
        base_url: row?.base_url ?? adapter.baseUrl,
        proposal: proposals.get(adapter.name) ?? null,
        credentials: adapter.credentialNames.map((name) => ({ name, is_set: row?.credentials_set.includes(name) ?? false })),
      }
    }),
  }
}

export function registerGatewayDeskRoutes(desk: Api, deps: GatewayDeskDeps): void {
  const { db, secretsKeys, gateways } = deps
  desk.get(
    '/gateways',
    {
      config: { permission: 'see' },
      schema: {
        operationId: 'deskListGateways',
        tags,
        summary: 'The payment gateways, without their secrets',
        response: { 200: Envelope(GatewayList) },
      },
    },
    async () => ok(await viewGateways(deps)),
  )
  desk.post(
    '/gateways/:gateway',
    {
      config: { permission: 'manage_settings', isConfirmationNeeded: true, refusals: [404, 409] },
      schema: {
        operationId: 'deskSetGateway',
        tags,
        summary: 'Set a gateway up, or switch it on or off',
        description: 'Other credentials take two people once money has moved: they are the `proposal` then.',
        params: GatewayPath,
        body: GatewayBody,
        response: { 200: Envelope(GatewayList) },
      },
    },
    async ({ staff: { person }, params: { gateway: name }, body: { is_enabled: isEnabled, credentials, reason } }) => {
      if (!names.includes(name)) throw new RefusalError(noSuchGateway)
      if (isEnabled === undefined && credentials === undefined) throw new GatewayChangeError('Nothing to change was given.')
      await changeGateway(db, secretsKeys, { name, change: { isEnabled, credentials }, reason, person })
      return ok(await viewGateways(deps))
    },
  )
  desk.post(
    '/gateways/:gateway/test',
    {
      config: { longWork: 'The gateway is given 10 s for its answer.', permission: 'manage_settings', refusals: [404] },
      schema: {
        operationId: 'deskTestGateway',
        tags,
        summary: 'Ask a gateway about a payment that there never was; nothing moves',
        params: GatewayPath,
        response: { 200: Envelope(GatewayTestResult) },
      },
    },
    async ({ staff: { actor }, params: { gateway: name } }) => {
      if (!names.includes(name)) throw new RefusalError(noSuchGateway)
      const { isWell, evidence } = await testGateway({ db, gateways }, name, actor)
      return ok({ is_well: isWell, said: evidence })
    },
  )
}
