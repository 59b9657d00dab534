import crypto, { type ScryptOptions } from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'

type Done = (error: Error | null, key: Buffer) => void

/**
 * In the process of the tests one password with one salt is hashed once, and its hash is remembered: persons of tests
 * sign in with one password again and again, and each hash costs a tenth of a second of a whole core. A hash depends on
 * nothing else, so every answer is what scrypt itself would give.
 */
function rememberHashes(): void {
  const hash = crypto.scrypt
  const hashes = new Map<string, Buffer>()
  const remember = (password: string, salt: string, length: number, options: ScryptOptions, done: Done): void => {
    const given = JSON.stringify([password, salt, length, options])
    const known = hashes.get(given)
    if (known) return void setImmediate(done, null, Buffer.from(known))
    hash(password, salt, length, options, (error, key) => {
      if (!error) hashes.set(given, Buffer.from(key))
      done(error, key)
    })
  }
  Object.assign(crypto, { scrypt: remember })
  syncBuiltinESMExports()
}

rememberHashes()
