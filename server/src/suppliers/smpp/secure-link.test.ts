import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer, type Server } from 'node:tls'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { ensureLocalCertificate } from '../../platform/http/listener/local-certificate-authority.ts'
import { readSmppSettings, type SmppSettings } from './settings.ts'
import { freshNumber, type SmppBench, sms, startSmppBench, until } from './smpp-bench.fixture.ts'

let bench: SmppBench
let folder: string
let authority: string
const servers: Server[] = []

/** An address of this machine that is not in the certificate. */
const otherAddress = '127.0.0.2'

/** A TLS listener in front of the SMSC, with a certificate of a private authority. */
async function listen(address: string): Promise<number> {
  const { certFile, keyFile } = await ensureLocalCertificate(folder, [certifiedName])
  const server = createServer({ cert: readFileSync(certFile), key: readFileSync(keyFile) }, (socket) => {
    const plain = connect(bench.port, '127.0.0.1')
    socket.pipe(plain).pipe(socket)
    for (const each of [socket, plain]) each.on('error', () => undefined)
    socket.on('close', () => plain.destroy())
    plain.on('close', () => socket.destroy())
  })
  server.on('tlsClientError', () => undefined)
  server.listen(0, address)
  await new Promise((resolve) => server.once('listening', resolve))
  servers.push(server)
  return (server.address() as AddressInfo).port
}

const at = (host: string, port: number, settings: SmppSettings, isExpectedDown = false) =>
  bench.bind({ address: { host, port, isSecure: true }, settings, isExpectedDown })

const certifiedName = 'smsc.operator.example'
let port: number
let otherPort: number

beforeAll(async () => {
  bench = await startSmppBench()
  folder = await mkdtemp(join(tmpdir(), 'makola-smpps-'))
  port = await listen('127.0.0.1')
  otherPort = await listen(otherAddress)
  const { caFile } = await ensureLocalCertificate(folder, [certifiedName])
  authority = readFileSync(caFile, 'utf8')
})
afterEach(() => bench.reset())
afterAll(async () => {
  for (const server of servers) server.close()
  await bench.close()
  await rm(folder, { recursive: true, force: true })
})

it('a text goes out and its receipt comes in over TLS, where the authority of the certificate is named', async () => {
  const link = await at('localhost', port, { certificateAuthority: authority })
  const recipient = freshNumber()
  expect(await link.submit(sms(recipient))).toMatchObject({ meaning: 'accepted' })
  await until(() => bench.receipts.some((receipt) => receipt.recipient === recipient))
})

it('both connections of a pair are secured', async () => {
  const link = await at('localhost', port, { certificateAuthority: authority, bindMode: 'pair' })
  expect(await link.submit(sms(freshNumber()))).toMatchObject({ meaning: 'accepted' })
})

it('an authority that Node does not know is refused, and nothing is said to it', async () => {
  const link = await at('localhost', port, {}, true)
  await until(() => bench.evidence.length > 1)
  expect(bench.evidence[0]).toMatch(/self-signed certificate in certificate chain|unable to verify/)
  expect(link.isBound()).toBe(false)
  expect((await bench.ask('GET', '/smsc/count'))['bound']).toBe(0)
})

it('a certificate of another host is refused, unless its name is set', async () => {
  await at(otherAddress, otherPort, { certificateAuthority: authority }, true)
  await until(() => bench.evidence.length > 0)
  expect(bench.evidence[0]).toMatch(/does not match certificate's altnames/)
  await bench.reset()
  const link = await at(otherAddress, otherPort, { certificateAuthority: authority, serverName: certifiedName })
  expect(await link.submit(sms(freshNumber()))).toMatchObject({ meaning: 'accepted' })
})

it('an address in numbers is held to a certificate of that address', async () => {
  const link = await at('127.0.0.1', port, { certificateAuthority: authority })
  expect(await link.submit(sms(freshNumber()))).toMatchObject({ meaning: 'accepted' })
})

it('a plain SMSC behind smpps:// stays down', async () => {
  await at('localhost', bench.port, { certificateAuthority: authority }, true)
  await until(() => bench.evidence.length > 0)
  expect(bench.states).not.toContain(true)
})

it('a setting that is no certificate is refused', () => {
  expect(() => readSmppSettings({ certificateAuthority: 'secret' })).toThrow('certificateAuthority: not a certificate in PEM')
  expect(readSmppSettings({ certificateAuthority: authority }).certificateAuthority).toBe(authority)
})
