import { execFile } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { startHttpApp } from '../../../../test/start-http-app.ts'
import { ensureLocalCertificate } from './local-certificate-authority.ts'
import { signLeaf } from './sign-certificate.ts'

const run = promisify(execFile)

let dataDir: string
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'makola-tls-'))
})
afterEach(() => rm(dataDir, { recursive: true, force: true }))

const read = async (path: string) => new X509Certificate(await readFile(path))
const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8)

it('makes an authority once and a certificate for localhost, the loopback addresses and the host', async () => {
  const files = await ensureLocalCertificate(dataDir, ['shop.example'])
  expect(files.caFile).toBe(join(dataDir, 'tls', 'ca.pem'))
  const [leaf, authority] = [await read(files.certFile), await read(files.caFile)]
  expect(authority.ca).toBe(true)
  expect(leaf.ca).toBe(false)
  expect(leaf.verify(authority.publicKey)).toBe(true)
  for (const host of ['localhost', 'shop.example']) expect(leaf.checkHost(host)).toBe(host)
  for (const address of ['127.0.0.1', '::1']) expect(leaf.checkIP(address)).toBeDefined()
})

it('lets nobody but its owner read the private keys', async () => {
  await ensureLocalCertificate(dataDir, [])
  for (const name of ['ca.key', 'server.key']) expect(await modeOf(join(dataDir, 'tls', name))).toBe('600')
})

it('satisfies strict verifiers', async () => {
  const files = await ensureLocalCertificate(dataDir, [])
  const { stdout } = await run('openssl', ['verify', '-x509_strict', '-CAfile', files.caFile, files.certFile])
  expect(stdout).toContain('OK')
})

it('changes nothing on the next start', async () => {
  const files = await ensureLocalCertificate(dataDir, [])
  const before = await readFile(files.certFile, 'utf8')
  await ensureLocalCertificate(dataDir, ['127.0.0.1', '0.0.0.0', '::'])
  expect(await readFile(files.certFile, 'utf8')).toBe(before)
})

it('signs a new certificate under the same authority when the host changes', async () => {
  const files = await ensureLocalCertificate(dataDir, [])
  const authority = await readFile(files.caFile, 'utf8')
  await ensureLocalCertificate(dataDir, ['192.168.7.7'])
  expect(await readFile(files.caFile, 'utf8')).toBe(authority)
  expect((await read(files.certFile)).checkIP('192.168.7.7')).toBe('192.168.7.7')
})

it('renews a certificate that nears its end, or whose key is not its own', async () => {
  const files = await ensureLocalCertificate(dataDir, [])
  const authority = {
    certificate: await readFile(files.caFile, 'utf8'),
    key: await readFile(join(dataDir, 'tls', 'ca.key'), 'utf8'),
  }
  const ending = await signLeaf(authority, ['localhost', '127.0.0.1', '::1'], 59)
  await writeFile(files.certFile, ending.certificate)
  await writeFile(files.keyFile, ending.key)
  await ensureLocalCertificate(dataDir, [])
  const renewed = await readFile(files.certFile, 'utf8')
  expect(renewed).not.toBe(ending.certificate)
  await writeFile(files.keyFile, ending.key)
  await ensureLocalCertificate(dataDir, [])
  expect(await readFile(files.certFile, 'utf8')).not.toBe(renewed)
})

it('ends with one matching set of files when several processes start at once', async () => {
  const made = await Promise.all(Array.from({ length: 8 }, () => ensureLocalCertificate(dataDir, [])))
  const files = made[0]
  if (!files) throw new Error('nothing was made')
  expect((await read(files.certFile)).verify((await read(files.caFile)).publicKey)).toBe(true)
})

it('is not kept waiting for ever by the lock of a process that died', async () => {
  const left = join(dataDir, 'tls', 'signing.lock')
  await mkdir(left, { recursive: true })
  await utimes(left, new Date(0), new Date(0))
  const files = await ensureLocalCertificate(dataDir, [])
  expect((await read(files.certFile)).checkHost('localhost')).toBe('localhost')
})

it('is trusted by curl and by Node with NODE_EXTRA_CA_CERTS', async () => {
  const http = await startHttpApp(() => undefined)
  try {
    const caFile = join(dataDir, 'trusted.pem')
    await writeFile(caFile, http.ca)
    for (const host of ['localhost', '127.0.0.1']) {
      const url = `https://${host}:${http.port}/healthz`
      const curl = await run('curl', ['--silent', '--show-error', '--cacert', caFile, url])
      expect(JSON.parse(curl.stdout)).toMatchObject({ success: true })
      const script = `fetch(${JSON.stringify(url)}).then((r) => console.log(r.status))`
      const node = await run(process.execPath, ['-e', script], { env: { ...process.env, NODE_EXTRA_CA_CERTS: caFile } })
      expect(node.stdout.trim()).toBe('200')
    }
    await expect(run('curl', ['--silent', `https://localhost:${http.port}/healthz`])).rejects.toThrow('curl')
  } finally {
    await http.close()
  }
})

it('refuses TLS below 1.2', async () => {
  const http = await startHttpApp(() => undefined)
  try {
    const old = run('curl', ['--silent', '--insecure', '--tls-max', '1.1', `https://localhost:${http.port}/healthz`])
    await expect(old).rejects.toThrow('curl')
  } finally {
    await http.close()
  }
})
