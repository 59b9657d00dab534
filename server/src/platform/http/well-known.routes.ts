import type { FastifyInstance } from 'fastify'

export type WellKnownSource = {
  /** Where this installation is reached, without a slash in the end. */
  readonly publicUrl: string
  /** Where weaknesses are reported, as an address such as `mailto:…`; empty when the operator has not said. */
  securityContact(): string | Promise<string>
}

/** RFC 9116 wants less than a year; whoever reads it later asks again. */
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

/** What programs look for on any server: rules for robots (RFC 9309), and where to report weaknesses (RFC 9116). */
export function registerWellKnownRoutes(app: FastifyInstance, source: WellKnownSource): void {
  const options = { schema: { hide: true } }
  const text = 'text/plain; charset=utf-8'
  app.get('/robots.txt', options, (_request, reply) => reply.type(text).send(robots))
  app.get('/.well-known/security.txt', options, async (_request, reply) => {
    const contact = await source.securityContact()
    // Without a contact such a file is not valid, and an address made up would be answered by nobody.
    if (contact === '') return reply.code(404).type(text).send(noContact)
    return reply.type(text).send(securityText(source.publicUrl, contact))
  })
}
