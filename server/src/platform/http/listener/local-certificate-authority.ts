import { createPrivateKey, randomBytes, X509Certificate } from 'node:crypto'
import { mkdir, open, readFile, rename } from 'node:fs/promises'
import { isIP } from 'node:net'
import { join } from 'node:path'

/** Files of a certificate that a local authority signed. All paths are absolute if `dataDir` is. */
export type LocalCertificate = { readonly certFile: string; readonly keyFile: string; readonly caFile: string }

type Files = LocalCertificate & { readonly caKeyFile: string }

/** The server's certificate lasts 397 days. It is renewed two months before its end. */
const renewBeforeMilliseconds = 60 * 86_400_000

/** Writes to a new file and renames it, so that `path` never names a half-written file. */
async function writeFileSafely(path: string, text: string, mode: number): Promise<void> {
  const temporary = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`
  const file = await open(temporary, 'wx', mode)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(temporary, path)
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

function coversHost(certificate: X509Certificate, host: string): boolean {
  return (isIP(host) === 0 ? certificate.checkHost(host) : certificate.checkIP(host)) !== undefined
}

async function isLeafGood(files: LocalCertificate, hosts: readonly string[]): Promise<boolean> {
  const [leafText, keyText, caText] = await Promise.all([files.certFile, files.keyFile, files.caFile].map(readIfThere))
  if (!leafText || !keyText || !caText) return false
  const leaf = new X509Certificate(leafText)
  const renewAt = leaf.validToDate.getTime() - renewBeforeMilliseconds
  return (
    Date.now() < renewAt &&
    leaf.verify(new X509Certificate(caText).publicKey) &&
    leaf.checkPrivateKey(createPrivateKey(keyText)) &&
    hosts.every((host) => coversHost(leaf, host))
  )
}

/** Addresses that mean "listen everywhere"; no client connects to them by name. */
const unspecifiedAddresses = new Set(['', '0.0.0.0', '::'])

/** Only one process at a time makes files. After this time the lock of a dead process is broken. */
const staleLockMilliseconds = 10_000
const lockRetries = { forever: true, factor: 1, minTimeout: 50, maxTimeout: 50 }

async function withLock<T>(folder: string, work: () => Promise<T>): Promise<T> {
  // Loaded only when a certificate must be made, like the library that signs it.
  const { lock } = await import('proper-lockfile')
  const unlock = await lock(folder, {
    lockfilePath: join(folder, 'signing.lock'),
    stale: staleLockMilliseconds,
    retries: lockRetries,
    // Another process broke the lock. That does no harm: that process too writes new files and renames them.
    onCompromised: () => undefined,
  })
  try {
    return await work()
  } finally {
    await unlock().catch(() => undefined)
  }
}

async function makeCertificates(files: Files, hosts: readonly string[]): Promise<void> {
  // Loaded only when a certificate must be made: loading the library takes a tenth of a second.
  const { signAuthority, signLeaf } = await import('./sign-certificate.ts')
  const [certificate, key] = await Promise.all([readIfThere(files.caFile), readIfThere(files.caKeyFile)])
  const authority = certificate && key ? { certificate, key } : await signAuthority()
  if (authority.certificate !== certificate) {
    await writeFileSafely(files.caKeyFile, authority.key, 0o600)
    await writeFileSafely(files.caFile, authority.certificate, 0o644)
  }
  const leaf = await signLeaf(authority, hosts)
  await writeFileSafely(files.keyFile, leaf.key, 0o600)
  await writeFileSafely(files.certFile, leaf.certificate, 0o644)
}

/**
 * Makes sure that `DATA_DIR/tls` holds a certificate for localhost, the loopback addresses and `hosts`, signed by an
 * authority that was made there once. Clients trust `caFile`, which stays the same; the certificate itself is renewed
 * near its end or when `hosts` changes. Several processes may call this at the same time.
 */
export async function ensureLocalCertificate(dataDir: string, hosts: readonly string[]): Promise<LocalCertificate> {
  const folder = join(dataDir, 'tls')
  const files = {
    certFile: join(folder, 'server.pem'),
    keyFile: join(folder, 'server.key'),
    caFile: join(folder, 'ca.pem'),
    caKeyFile: join(folder, 'ca.key'),
  }
  const names = [...new Set(['localhost', '127.0.0.1', '::1', ...hosts.filter((host) => !unspecifiedAddresses.has(host))])]
  await mkdir(folder, { recursive: true })
  if (!(await isLeafGood(files, names))) {
    await withLock(folder, async () => {
      if (!(await isLeafGood(files, names))) await makeCertificates(files, names)
    })
  }
  return files
}
