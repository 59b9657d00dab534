import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider from 'oidc-provider'

/** The claims that the directory gives about the person who signs in. */
export type DirectoryPerson = { readonly sub: string } & Readonly<Record<string, unknown>>

const clientId = 'makola'
const clientSecret = 'a secret that the provider and we share'

/**
 * Starts a directory on this machine, with a library of OpenID Connect that the platform does not use. It asks for no password:
 * every browser signs in as `person`.
 */
export async function startDirectoryProvider(publicUrl: string) {
  let person: DirectoryPerson | undefined
  const server: Server = createServer((request, response) => void answer(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: [`${publicUrl}/desk/api/directory/callback`],
        token_endpoint_auth_method: 'client_secret_post',
      },
    ],
    claims: { openid: ['sub', 'amr'], email: ['email', 'email_verified'], profile: ['groups'] },
    ttl: { Interaction: 600, Grant: 600, Session: 600, AccessToken: 600, IdToken: 600 },
    cookies: { keys: ['a key for the cookies'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
    findAccount: (_ctx, sub) => ({ accountId: sub, claims: () => ({ ...person, sub }) }),
    async loadExistingGrant({ oidc }) {
      const grant = new oidc.provider.Grant({ clientId, accountId: oidc.session?.accountId ?? '' })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
  })
  const callback = provider.callback()
  async function answer(...[request, response]: Parameters<typeof callback>): Promise<void> {
    if (!request.url?.startsWith('/interaction/')) return callback(request, response)
    const declined = { error: 'access_denied', error_description: 'the person cancelled' }
    await provider.interactionFinished(request, response, person ? { login: { accountId: person.sub } } : declined)
    return undefined
  }

  return {
    environment: { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret },
    /**
     * Walks a browser's way through the directory.
     * @returns the address that the directory sends the browser back to
     */
    async walk(url: string, as: DirectoryPerson | undefined): Promise<URL> {
      person = as
      const cookies = new Map<string, string>()
      for (let next = new URL(url); ; ) {
        if (next.origin !== issuer) return next
        const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
        const { headers } = await fetch(next, { redirect: 'manual', headers: { cookie } })
        for (const line of headers.getSetCookie()) {
          const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
          cookies.set(name, value)
        }
        next = new URL(headers.get('location') ?? '', next)
      }
    },
    async close(): Promise<void> {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
