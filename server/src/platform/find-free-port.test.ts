import { expect, test } from 'vitest'
import { findFreePort } from './find-free-port.ts'

/** Linux gives ports from this one on to connections, and to servers that ask for any port. */
const firstGivenPort = 32_768

test('a free port is none that a connection may take before its process listens there', async () => {
  for (let times = 0; times < 20; times += 1) expect(await findFreePort('127.0.0.1')).toBeLessThan(firstGivenPort)
})

test('an address that is not one of this machine is said at once', async () => {
  // This address belongs to a network that is reserved for documentation.
  await expect(findFreePort('192.0.2.1')).rejects.toThrow('EADDRNOTAVAIL')
})
