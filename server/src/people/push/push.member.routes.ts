import Type from 'typebox'
import { Envelope, ok } from '../../platform/http/envelope.ts'
import type { Api } from '../../platform/http/route-types.ts'
import { OneOf } from '../../platform/http/schemas.ts'
import type { PeopleDeps } from '../people-deps.ts'
import { pushKinds } from './push.tables.ts'
import { readPushKinds, removePushDevice, setPushDevice } from './push-devices.ts'
import { openPushKeys } from './push-keys.ts'

const kinds = Type.Array(OneOf(pushKinds), {
  maxItems: pushKinds.length,
  description: 'What this browser is told; empty: nothing.',
})

const PushDevice = Type.Object(
  { key: Type.String({ description: 'The public key of this installation, for the browser to subscribe to.' }), kinds },
  { title: 'PushDevice' },
)

const base64url = (maxLength: number, description: string) => Type.String({ maxLength, pattern: '^[A-Za-z0-9_-]+$', description })

const PushDeviceBody = Type.Object({
  endpoint: Type.String({ minLength: 1, maxLength: 2_000, description: 'The `endpoint` of the browser’s subscription.' }),
  publicKey: base64url(120, 'Its key `p256dh`.'),
  authSecret: base64url(40, 'Its key `auth`.'),
  kinds: Type.Array(OneOf(pushKinds), { minItems: 1, maxItems: pushKinds.length, uniqueItems: true }),
})

type Deps = Pick<PeopleDeps, 'db' | 'secretsKeys'>

export function registerPushRoutes(app: Api, { db, secretsKeys }: Deps): void {
  const read = async (sessionId: string) => ({
    key: (await openPushKeys(db, secretsKeys)).publicKey,
    kinds: await readPushKinds(db, sessionId),
  })
  app.get(
    '/push',
    {
      config: { permission: 'look' },
      schema: {
        operationId: 'readPush',
        tags: ['Notices'],
        summary: 'Which push notices this browser gets',
        response: { 200: Envelope(PushDevice) },
      },
    },
    async ({ person }) => ok(await read(person.sessionId)),
  )
  app.post(
    '/push',
    {
      config: { permission: 'person' },
      schema: {
        operationId: 'setPush',
        tags: ['Notices'],
        summary: 'Send push notices to this browser, until its session ends',
        body: PushDeviceBody,
        response: { 200: Envelope(PushDevice) },
      },
    },
    async ({ person: { sessionId, personId }, body }) => {
      const { endpoint, publicKey, authSecret, kinds: wanted } = body
      await setPushDevice(db, { sessionId, personId, endpoint, publicKey, authSecret, kinds: wanted })
      return ok(await read(sessionId))
    },
  )
  app.delete(
    '/push',
    {
      config: { permission: 'person' },
      schema: {
        operationId: 'removePush',
        tags: ['Notices'],
        summary: 'Send no more push notices to this browser',
        response: { 200: Envelope(PushDevice) },
      },
    },
    async ({ person }) => {
      await removePushDevice(db, person.sessionId)
      return ok(await read(person.sessionId))
    },
  )
}
