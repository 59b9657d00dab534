import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { rootCertificates } from 'node:tls'
import { buildConnector } from 'undici'

const connectTimeoutMilliseconds = 5_000

/**
 * Makes connections that trust the usual authorities and `DATA_DIR/tls/ca.pem`. Each connection first checks whether the
 * file has changed, because the server that writes it may start later or replace it.
 */
export function trustLocalAuthority(dataDir: string): buildConnector.connector {
  const file = join(dataDir, 'tls', 'ca.pem')
  let connectorVersion: number | undefined
  let connect = buildConnector({ timeout: connectTimeoutMilliseconds })
  return (options, callback) => {
    const version = statSync(file, { throwIfNoEntry: false })?.mtimeMs
    if (version !== connectorVersion) {
      connectorVersion = version
      const authorities = version === undefined ? {} : { ca: [...rootCertificates, readFileSync(file, 'utf8')] }
      connect = buildConnector({ timeout: connectTimeoutMilliseconds, ...authorities })
    }
    connect(options, callback)
  }
}
