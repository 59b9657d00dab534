import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest()

/** The parts of an authenticator's answer that a test may falsify. */
type Told = { readonly origin: string; readonly isVerified?: boolean; readonly count?: number; readonly rpId?: string }

type Options = { readonly challenge: string }

const flags = { present: 1, verified: 4, attested: 64 }

/** An authenticator in memory, as WebAuthn (level 3) describes it: one ES256 key, no attestation. */
export function createSoftAuthenticator() {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const id = randomBytes(16)
  const coordinate = (text: string) => Buffer.concat([Buffer.from([0x58, 32]), Buffer.from(text, 'base64url')])
  /** A COSE key in CBOR: {1: 2 (EC2), 3: -7 (ES256), -1: 1 (P-256), -2: x, -3: y}. */
  const coseKey = Buffer.concat([
    Buffer.from([0xa5, 1, 2, 3, 0x26, 0x20, 1, 0x21]),
    coordinate(x),
    Buffer.from([0x22]),
    coordinate(y),
  ])

  function authenticatorData({ isVerified = true, count = 0, rpId = 'localhost' }: Told, attested?: Buffer): Buffer {
    const head = Buffer.alloc(5)
    head[0] = flags.present | (isVerified ? flags.verified : 0) | (attested ? flags.attested : 0)
    head.writeUInt32BE(count, 1)
    return Buffer.concat([sha256(rpId), head, attested ?? Buffer.alloc(0)])
  }
  const clientData = (type: string, { challenge }: Options, { origin }: Told) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
  const answer = (response: Record<string, Buffer>) =>
    JSON.stringify({
      id: id.toString('base64url'),
      rawId: id.toString('base64url'),
      type: 'public-key',
      clientExtensionResults: {},
      response: Object.fromEntries(Object.entries(response).map(([name, bytes]) => [name, bytes.toString('base64url')])),
    })

  return {
    /** Makes the passkey, as `navigator.credentials.create` would. */
    make(options: string, told: Told): string {
      const data = authenticatorData(told, Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, coseKey]))
      const text = (word: string) => Buffer.concat([Buffer.from([0x60 + word.length]), Buffer.from(word)])
      const attestationObject = Buffer.concat([
        Buffer.from([0xa3]),
        text('fmt'),
        text('none'),
        text('attStmt'),
        Buffer.from([0xa0]),
        text('authData'),
        Buffer.from([0x58, data.length]),
        data,
      ])
      return answer({ clientDataJSON: clientData('webauthn.create', JSON.parse(options), told), attestationObject })
    },
    /** Signs a challenge, as `navigator.credentials.get` would. */
    sign(options: string, told: Told): string {
      const data = authenticatorData(told)
      const clientDataJSON = clientData('webauthn.get', JSON.parse(options), told)
      const signature = sign('sha256', Buffer.concat([data, sha256(clientDataJSON)]), privateKey)
      return answer({ clientDataJSON, authenticatorData: data, signature })
    },
  }
}
