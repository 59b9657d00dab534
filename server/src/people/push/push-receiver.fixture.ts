import { createDecipheriv, createECDH, createPublicKey, type ECDH, hkdfSync, randomBytes, verify } from 'node:crypto'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { Agent, buildConnector } from 'undici'

/** A browser's subscription: its address at the push service, and the keys that never leave the browser. */
export type TestSubscription = { readonly endpoint: string; readonly keys: ECDH; readonly authSecret: Buffer }

/** A received message: decrypted as its browser reads it, the sender's signed claims, and encrypted as it came (`plain`). */
export type ReceivedPush = {
  readonly push: Record<string, string>
  readonly claims: Record<string, unknown>
  readonly plain: Buffer
}

/** The origin of the push service. The test's own agent connects to this machine in its place. */
const origin = 'https://push.example.test'

/** Decrypts a message of one record (RFC 8291 section 3.4, RFC 8188 section 2). */
function decrypt(body: Buffer, { keys, authSecret }: TestSubscription): Record<string, string> {
  const [salt, senderKey] = [body.subarray(0, 16), body.subarray(21, 21 + (body[20] ?? 0))]
  const derive = (secret: Buffer, saltOf: Buffer, info: Buffer | string, bytes: number) =>
    Buffer.from(hkdfSync('sha256', secret, saltOf, info, bytes))
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), keys.getPublicKey(), senderKey])
  const secret = derive(keys.computeSecret(senderKey), authSecret, info, 32)
  const decipher = createDecipheriv(
    'aes-128-gcm',
    derive(secret, salt, 'Content-Encoding: aes128gcm\0', 16),
    derive(secret, salt, 'Content-Encoding: nonce\0', 12),
  )
  const record = body.subarray(21 + senderKey.length)
  decipher.setAuthTag(record.subarray(-16))
  const plain = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()])
  // The byte 2 ends the text of the last record; zeros may follow it.
  return JSON.parse(plain.subarray(0, plain.lastIndexOf(2)).toString()) as Record<string, string>
}

/** Verifies the sender's signature with the key that it names (RFC 8292), and reads what it claims. */
function readClaims(authorization: string): Record<string, unknown> & { readonly key: string } {
  const [, token = '', key = ''] = /^vapid t=([^,]+), ?k=(.+)$/.exec(authorization) ?? []
  const [head = '', claims = '', signature = ''] = token.split('.')
  const point = Buffer.from(key, 'base64url')
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((half) => half.toString('base64url'))
  const publicKey = createPublicKey({ format: 'jwk', key: { kty: 'EC', crv: 'P-256', x: x ?? '', y: y ?? '' } })
  const isSigned = verify(
    'sha256',
    Buffer.from(`${head}.${claims}`),
    { key: publicKey, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  )
  if (!isSigned) throw new Error('the push is not signed by the key that it names')
  return { ...(JSON.parse(Buffer.from(claims, 'base64url').toString()) as Record<string, unknown>), key }
}

/** Starts a push service on this machine. It decrypts the messages with the browsers' keys, as only browsers can in reality. */
export async function startPushReceiver(dataDir: string) {
  const read = (name: string) => readFile(join(dataDir, 'tls', name))
  const ca = await read('ca.pem')
  const subscriptions = new Map<string, TestSubscription>()
  const received = new Map<string, ReceivedPush[]>()
  /** The status for each path; 0: it never answers. 201 if left out. */
  const statuses = new Map<string, number>()
  const tries = new Map<string, number>()
  const server = createServer({ cert: await read('server.pem'), key: await read('server.key') }, (request, response) => {
    const path = request.url ?? ''
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      tries.set(path, (tries.get(path) ?? 0) + 1)
      const status = statuses.get(path) ?? 201
      if (status === 0) return
      const subscription = subscriptions.get(path)
      const body = Buffer.concat(parts)
      if (status === 201 && subscription) {
        const push = { push: decrypt(body, subscription), claims: readClaims(request.headers.authorization ?? ''), plain: body }
        received.set(path, [...(received.get(path) ?? []), push])
      }
      response.writeHead(status).end()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const connect = buildConnector({ ca, servername: 'localhost' })
  const dispatcher = new Agent({
    connect: (options, done) =>
      connect(
        { ...options, hostname: 'localhost', host: `localhost:${port}`, port: String(port), servername: 'localhost' },
        done,
      ),
  })
  return {
    port,
    dispatcher,
    statuses,
    tries,
    origin,
    /** A new subscription of a browser at this push service. */
    subscribe(): TestSubscription {
      const keys = createECDH('prime256v1')
      keys.generateKeys()
      const path = `/${randomBytes(8).toString('hex')}`
      const subscription = { endpoint: `${origin}${path}`, keys, authSecret: randomBytes(16) }
      subscriptions.set(path, subscription)
      return subscription
    },
    receivedBy: ({ endpoint }: TestSubscription) => received.get(new URL(endpoint).pathname) ?? [],
    async close() {
      await dispatcher.destroy()
      server.closeAllConnections()
      server.close()
    },
  }
}

/** The body with which a browser asks for push notices. */
export const bodyOf = ({ endpoint, keys, authSecret }: TestSubscription, kinds: readonly string[]) => ({
  endpoint,
  public_key: keys.getPublicKey('base64url'),
  auth_secret: authSecret.toString('base64url'),
  kinds,
})
