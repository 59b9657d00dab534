import { X509Certificate } from 'node:crypto'
import { readFile, statfs } from 'node:fs/promises'
import { request } from 'node:https'
import { join } from 'node:path'
import type { Config } from '../../config.ts'
import type { Finding } from './finding.ts'

const dayMilliseconds = 86_400_000
/** Public authorities' programs renew a month before the end; two weeks before it, something is wrong. */
const renewalDaysMin = 14

const gigabyte = 1024 ** 3
const freeGigabytesMin = 1
const freeGigabytesComfortable = 5

const answerMilliseconds = 3_000

function certificateFile(config: Config): string | undefined {
  if (config.tls.kind === 'files') return config.tls.certFile
  return config.tls.kind === 'local' ? join(config.dataDir, 'tls', 'server.pem') : undefined
}

/** How long the certificate that we serve is good for. */
export async function examineCertificate(config: Config): Promise<Finding[]> {
  const topic = 'certificate'
  const file = certificateFile(config)
  if (file === undefined) return [{ level: 'ok', topic, message: 'The proxy in front holds the certificate (TLS=proxy).' }]
  const text = await readFile(file).catch((error: NodeJS.ErrnoException) => {
    if (config.tls.kind === 'local' && error.code === 'ENOENT') return undefined
    throw error
  })
  if (!text) return [{ level: 'ok', topic, message: 'The first start makes a local certificate.' }]
  const { validToDate } = new X509Certificate(text)
  const days = Math.floor((validToDate.getTime() - Date.now()) / dayMilliseconds)
  const message = `The certificate ${file} ${days < 0 ? 'ended' : 'ends'} on ${validToDate.toISOString().slice(0, 10)}.`
  if (days < 0) return [{ level: 'problem', topic, message }]
  return [{ level: days < renewalDaysMin ? 'warning' : 'ok', topic, message }]
}

/** Whether `/healthz` answers at the public address, trusting the local authority too. */
function answers(url: string, authority: string | undefined): Promise<string | undefined> {
  return new Promise((resolve) => {
    const options = { timeout: answerMilliseconds, agent: false as const, ...(authority === undefined ? {} : { ca: authority }) }
    const asking = request(`${url}/healthz`, options, (response) => {
      response.resume()
      resolve(response.statusCode === 200 ? undefined : `it answers ${response.statusCode}`)
    })
    asking.on('timeout', () => asking.destroy(new Error('no answer in time')))
    asking.on('error', (error) => resolve(error.message))
    asking.end()
  })
}

/** The address that resellers and suppliers' callbacks use. */
export async function examinePublicAddress(config: Config): Promise<Finding[]> {
  const topic = 'public address'
  const { publicUrl } = config
  const isHere = ['localhost', '127.0.0.1', '[::1]'].includes(new URL(publicUrl).hostname)
  if (isHere && config.suppliers === 'live') {
    const message = `${publicUrl} is this machine only: suppliers' callbacks cannot reach it. Set PUBLIC_URL.`
    return [{ level: 'problem', topic, message }]
  }
  const authority =
    config.tls.kind === 'local' ? await readFile(join(config.dataDir, 'tls', 'ca.pem'), 'utf8').catch(() => undefined) : undefined
  const failure = await answers(publicUrl, authority)
  if (failure === undefined) return [{ level: 'ok', topic, message: `${publicUrl} answers.` }]
  return [{ level: 'warning', topic, message: `${publicUrl} does not answer: ${failure}. Does Makola run?` }]
}

/** A database that cannot write stops selling. */
export async function examineDisk(config: Config): Promise<Finding[]> {
  const topic = 'disk space'
  const found = await statfs(config.dataDir).catch(() => undefined)
  if (!found) return [{ level: 'warning', topic, message: `${config.dataDir} is not there yet.` }]
  const freeGigabytes = (found.bavail * found.bsize) / gigabyte
  const message = `${freeGigabytes.toFixed(1)} GB are free at ${config.dataDir}.`
  if (freeGigabytes < freeGigabytesMin) return [{ level: 'problem', topic, message }]
  return [{ level: freeGigabytes < freeGigabytesComfortable ? 'warning' : 'ok', topic, message }]
}
