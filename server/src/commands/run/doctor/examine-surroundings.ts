import { X509Certificate } from 'node:crypto'
import { readFile, statfs } from 'node:fs/promises'
import { request } from 'node:https'
import { join } from 'node:path'
import { getCACertificates, type TLSSocket } from 'node:tls'
import type { Config } from '../../../config.ts'
import type { Finding } from './finding.ts'

const dayMilliseconds = 86_400_000
/** Certificates of public authorities are renewed a month before their end. Two weeks before it, something is wrong. */
const renewalDaysMin = 14

const gigabyte = 1024 ** 3
const freeGigabytesMin = 1
const freeGigabytesComfortable = 5

const answerMilliseconds = 3_000

function certificateFile(config: Config): string | undefined {
  if (config.tls.kind === 'files') return config.tls.certFile
  return config.tls.kind === 'local' ? join(config.dataDir, 'tls', 'server.pem') : undefined
}

function describeEnd(what: string, end: Date): Finding {
  const topic = 'certificate'
  const days = Math.floor((end.getTime() - Date.now()) / dayMilliseconds)
  const message = `${what} ${days < 0 ? 'ended' : 'ends'} on ${end.toISOString().slice(0, 10)}${days < 0 ? '' : `, in ${days} days`}.`
  if (days < 0) return { level: 'problem', topic, message }
  return { level: days < renewalDaysMin ? 'warning' : 'ok', topic, message }
}

/** Checks how long our own certificate is valid. A proxy's is seen at the public address. */
export async function examineCertificate(config: Config): Promise<Finding[]> {
  const topic = 'certificate'
  const file = certificateFile(config)
  if (file === undefined) return []
  const text = await readFile(file).catch((error: NodeJS.ErrnoException) => {
    if (config.tls.kind === 'local' && error.code === 'ENOENT') return undefined
    throw error
  })
  if (!text) return [{ level: 'ok', topic, message: 'The first start makes a local certificate.' }]
  return [describeEnd(`The certificate ${file}`, new X509Certificate(text).validToDate)]
}

type Answer = { failure: string | undefined; certificateEnd: Date | undefined }

/** Asks `/healthz` at the public address, trusting the local authority too, and reads until when the certificate is valid. */
function ask(url: string, authority: string | undefined): Promise<Answer> {
  return new Promise((resolve) => {
    let certificateEnd: Date | undefined
    // Reads the certificate even when it is not trusted, because an expired one must be reported.
    const options = { timeout: answerMilliseconds, agent: false as const, rejectUnauthorized: false }
    // `ca` replaces the public authorities, so they are listed too.
    const trusted = authority === undefined ? {} : { ca: [...getCACertificates(), authority] }
    const asking = request(`${url}/healthz`, { ...options, ...trusted }, (response) => {
      response.resume()
      resolve({ failure: response.statusCode === 200 ? undefined : `it answers ${response.statusCode}`, certificateEnd })
    })
    asking.on('socket', (socket) => {
      const secure = socket as TLSSocket
      secure.once('secureConnect', () => {
        certificateEnd = new Date(secure.getPeerCertificate().valid_to)
        if (!secure.authorized) asking.destroy(new Error(`its certificate is not trusted, ${String(secure.authorizationError)}`))
      })
    })
    asking.on('timeout', () => asking.destroy(new Error('no answer in time')))
    asking.on('error', (error) => resolve({ failure: error.message, certificateEnd }))
    asking.end()
  })
}

/** Checks the address that resellers and suppliers' callbacks use, and behind a proxy its certificate. */
export async function examinePublicAddress(config: Config): Promise<Finding[]> {
  const topic = 'public address'
  const { publicUrl } = config
  const { hostname, port } = new URL(publicUrl)
  const isHere = ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
  if (isHere && config.suppliers === 'live') {
    const message = `${publicUrl} is this machine only: suppliers' callbacks cannot reach it. Set PUBLIC_URL.`
    return [{ level: 'problem', topic, message }]
  }
  const authority =
    config.tls.kind === 'local' ? await readFile(join(config.dataDir, 'tls', 'ca.pem'), 'utf8').catch(() => undefined) : undefined
  const { failure, certificateEnd } = await ask(publicUrl, authority)
  const asked = `port ${port === '' ? 443 : port}`
  const finding: Finding =
    failure === undefined
      ? { level: 'ok', topic, message: `${publicUrl} answers on ${asked}.` }
      : {
          level: 'warning',
          topic,
          message: `${publicUrl} does not answer on ${asked}, as PUBLIC_URL or else HOST and PORT say: ${failure}. Does Makola run?`,
        }
  if (config.tls.kind !== 'proxy') return [finding]
  if (certificateEnd) return [finding, describeEnd(`The proxy's certificate for ${hostname}`, certificateEnd)]
  const message = 'The proxy in front holds the certificate (TLS=proxy); it could not be read.'
  return [finding, { level: 'warning', topic: 'certificate', message }]
}

/**
 * Checks the disk of DATA_DIR: when it is full, an embedded database cannot write, and nothing is sold. The disk of another
 * database cannot be seen from here.
 */
export async function examineDisk(config: Config): Promise<Finding[]> {
  const topic = 'disk space'
  const found = await statfs(config.dataDir).catch(() => undefined)
  if (!found) return [{ level: 'warning', topic, message: `${config.dataDir} is not there yet.` }]
  const freeGigabytes = (found.bavail * found.bsize) / gigabyte
  const elsewhere = config.databaseUrl === undefined ? '' : ' The disk of the database at DATABASE_URL must be watched there.'
  const message = `${freeGigabytes.toFixed(1)} GB are free at ${config.dataDir}.${elsewhere}`
  if (freeGigabytes < freeGigabytesMin) return [{ level: 'problem', topic, message }]
  return [{ level: freeGigabytes < freeGigabytesComfortable ? 'warning' : 'ok', topic, message }]
}
