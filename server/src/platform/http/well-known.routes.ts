import type { FastifyInstance } from 'fastify'

export type WellKnownSource = {
  /** The public address of this installation, without a slash at the end. */
  readonly publicUrl: string
  /** The address for reports of weaknesses, such as `mailto:…`; empty when the operator has set none. */
  securityContact(): string | Promise<string>
}

/** RFC 9116 asks for less than a year. */
const securityTextDays = 180
const millisecondsPerDay = 86_400_000

const robots = `User-agent: *
Disallow: /api/
Disallow: /callbacks/
Disallow: /docs/search
`

const noContact = 'The operator of this installation has not said where weaknesses are reported (setting security_contact).\n'

function securityText(publicUrl: string, contact: string): string {
  const expires = new Date(Math.floor(Date.now() / millisecondsPerDay + securityTextDays) * millisecondsPerDay)
  return [
    `Contact: ${contact}`,
    `Expires: ${expires.toISOString()}`,
    'Preferred-Languages: en',
    `Canonical: ${publicUrl}/.well-known/security.txt`,
    '',
  ].join('\n')
}

/** Files that programs look for on any server: rules for robots (RFC 9309), and where to report weaknesses (RFC 9116). */
export function registerWellKnownRoutes(app: FastifyInstance, source: WellKnownSource): void {
  const options = { schema: { hide: true } }
  const text = 'text/plain; charset=utf-8'
  app.get('/robots.txt', options, (_request, reply) => reply.type(text).send(robots))
  app.get('/.well-known/security.txt', options, async (_request, reply) => {
    const contact = await source.securityContact()
    // Without a contact the file would not be valid, and nobody would read mail to an invented address.
    if (contact === '') return reply.code(404).type(text).send(noContact)
    return reply.type(text).send(securityText(source.publicUrl, contact))
  })
}
