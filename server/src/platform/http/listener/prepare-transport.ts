import { readFile } from 'node:fs/promises'
import { Server as SecureServer } from 'node:https'
import { createSecureContext } from 'node:tls'
import type { FastifyInstance } from 'fastify'
import { type Transport, tlsRules } from './create-listener.ts'
import { ensureLocalCertificate } from './local-certificate-authority.ts'

export type TlsSource =
  | { readonly kind: 'local' }
  | { readonly kind: 'files'; readonly certFile: string; readonly keyFile: string }
  | { readonly kind: 'proxy'; readonly trustedProxies: readonly string[] }

type Place = { readonly dataDir: string; readonly host: string }

/**
 * Reads the certificate and key for HTTPS; makes the local one when it is missing or must be renewed. A proxy has its own.
 *
 * @throws when a certificate file cannot be read, or its key does not belong to it
 */
export async function prepareTransport(source: TlsSource, place: Place): Promise<Transport> {
  if (source.kind === 'proxy') return source
  const { certFile, keyFile } = source.kind === 'files' ? source : await ensureLocalCertificate(place.dataDir, [place.host])
  const [certificate, key] = await Promise.all([readFile(certFile), readFile(keyFile)])
  createSecureContext({ cert: certificate, key })
  return { kind: 'tls', certificate, key, isPublic: source.kind === 'files' }
}

/** Other programs renew certificates of public authorities weeks before their end, so once an hour is enough. */
const renewEveryMilliseconds = 3_600_000

/**
 * Checks every hour for a renewed certificate and uses it without a restart. If it cannot be read, that is logged and the
 * old one stays in use.
 * @returns a function that stops the checks
 */
export function followCertificate(app: FastifyInstance, source: TlsSource, place: Place): () => void {
  async function renew(): Promise<void> {
    try {
      const transport = await prepareTransport(source, place)
      if (transport.kind === 'proxy') return
      for (const server of app.drain.servers) {
        if (server instanceof SecureServer)
          server.setSecureContext({ cert: transport.certificate, key: transport.key, ...tlsRules })
      }
    } catch (error) {
      app.log.error({ err: error }, 'the renewed certificate cannot be used; the old one stays')
    }
  }
  const timer = setInterval(() => void renew(), renewEveryMilliseconds).unref()
  return () => clearInterval(timer)
}
