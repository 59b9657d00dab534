// @peculiar/x509 requires that this module is loaded first.
import 'reflect-metadata'
import { randomBytes, webcrypto } from 'node:crypto'
import { isIP } from 'node:net'
import * as x509 from '@peculiar/x509'

/** A certificate and its private key, both in PEM. */
export type SignedCertificate = { readonly certificate: string; readonly key: string }

const dayMilliseconds = 86_400_000

/** Ten years, because people import the authority by hand. */
const authorityDays = 3_650

/** Browsers accept at most 398 days. */
const leafDays = 397

/** The clocks of other devices may be behind ours. */
const backdateMilliseconds = dayMilliseconds

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const

const lifetime = (days: number) => ({
  notBefore: new Date(Date.now() - backdateMilliseconds),
  notAfter: new Date(Date.now() + days * dayMilliseconds),
})

/** A serial number must be positive and at most 20 octets (RFC 5280, section 4.1.2.2). */
const newSerialNumber = () => `00${randomBytes(16).toString('hex')}`

const newKeys = () => webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])

async function inPem(certificate: x509.X509Certificate, privateKey: webcrypto.CryptoKey): Promise<SignedCertificate> {
  const key = x509.PemConverter.encode(await webcrypto.subtle.exportKey('pkcs8', privateKey), 'PRIVATE KEY')
  return { certificate: `${certificate.toString('pem')}\n`, key: `${key}\n` }
}

/** Makes an authority that may sign certificates of servers, but no further authorities. */
export async function signAuthority(): Promise<SignedCertificate> {
  const keys = await newKeys()
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: newSerialNumber(),
    // The random part makes two installations' authorities different in one trust store.
    name: `CN=Makola local authority ${randomBytes(3).toString('hex')}, O=Makola`,
    ...lifetime(authorityDays),
    signingAlgorithm: algorithm,
    keys,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  })
  return inPem(certificate, keys.privateKey)
}

/** Makes a server's certificate for `hosts` (names or IP addresses), signed by `authority`. */
export async function signLeaf(
  authority: SignedCertificate,
  hosts: readonly string[],
  days = leafDays,
): Promise<SignedCertificate> {
  const issuer = new x509.X509Certificate(authority.certificate)
  const issuerKey = x509.PemConverter.decodeFirst(authority.key)
  const keys = await newKeys()
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: newSerialNumber(),
    subject: `CN=${hosts[0] ?? 'localhost'}, O=Makola`,
    issuer: issuer.subject,
    ...lifetime(days),
    signingAlgorithm: algorithm,
    publicKey: keys.publicKey,
    signingKey: await webcrypto.subtle.importKey('pkcs8', issuerKey, algorithm, false, ['sign']),
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      new x509.SubjectAlternativeNameExtension(
        hosts.map((host) => ({ type: isIP(host) === 0 ? ('dns' as const) : ('ip' as const), value: host })),
      ),
      // Strict verifiers (OpenSSL's X509_STRICT, the default of Python 3.13) ask for both identifiers.
      await x509.AuthorityKeyIdentifierExtension.create(issuer),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  })
  return inPem(certificate, keys.privateKey)
}
