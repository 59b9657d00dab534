import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/test-database.ts'
import { checkSecretsKeys } from './check-secrets-keys.ts'
import { loadSecretsKeys } from './load-secrets-keys.ts'
import { hashSecret, sealSecret, unsealSecret } from './seal-secret.ts'
import { parseSecretsKeys } from './secrets-keys.ts'

const oldText = Buffer.alloc(32, 1).toString('base64')
const newText = Buffer.alloc(32, 2).toString('base64')
const oldKeys = parseSecretsKeys(oldText, 'SECRETS_KEY')
const newKeys = parseSecretsKeys(newText, 'SECRETS_KEY')
const place = { table: 'vouchers', column: 'pin', rowId: 'row-1' }
const pin = '4711-0815-ɛ'

function failureOf(work: () => unknown): Error | undefined {
  try {
    work()
    return undefined
  } catch (error) {
    return error as Error
  }
}

describe('a sealed secret', () => {
  const sealed = sealSecret(oldKeys, pin, place)

  it('opens in its place, shows nothing of its text, and is never sealed to the same ciphertext twice', () => {
    expect(unsealSecret(oldKeys, sealed, place)).toBe(pin)
    expect(sealed).not.toContain('4711')
    expect(sealSecret(oldKeys, pin, place)).not.toBe(sealed)
    expect(unsealSecret(oldKeys, sealSecret(oldKeys, '', place), place)).toBe('')
  })

  const body = sealed.slice(sealed.lastIndexOf('.') + 1)
  const head = sealed.slice(0, sealed.lastIndexOf('.') + 1)
  const flipped = (index: number) => {
    const bytes = Buffer.from(body, 'base64url')
    bytes[index] = (bytes[index] ?? 0) ^ 1
    return head + bytes.toString('base64url')
  }
  it.each([
    ['altered in its nonce', flipped(0), place],
    ['altered in its text', flipped(13), place],
    ['altered in its tag', flipped(Buffer.from(body, 'base64url').length - 1), place],
    ['cut by a character', sealed.slice(0, -1), place],
    ['cut to its nonce', `${head}${body.slice(0, 16)}`, place],
    ['cut to nothing', '', place],
    ['lengthened', `${sealed}A`, place],
    ['with something appended', `${sealed}.A`, place],
    ['named another version', sealed.replace('v1.', 'v2.'), place],
    ['named another key', sealed.replace(oldKeys.current.id, newKeys.current.id), place],
    ['moved to another row', sealed, { ...place, rowId: 'row-2' }],
    ['moved to another column', sealed, { ...place, column: 'serial_number' }],
    ['moved to another table', sealed, { ...place, table: 'orders' }],
  ])('%s answers one clear error that holds nothing of it', (_, ciphertext, where) => {
    const keys = parseSecretsKeys(`${oldText},${newText}`, 'SECRETS_KEY')
    const failure = failureOf(() => unsealSecret(keys, ciphertext, where))
    expect(failure?.message).toContain(`The secret in ${where.table}.${where.column} cannot be read`)
    expect(failure?.stack).not.toContain('4711')
    expect(failure?.cause).toBeUndefined()
  })

  it('still opens after a new key took its place, as long as the old one is given too', () => {
    const both = parseSecretsKeys(`${newText}\n${oldText}\n`, 'SECRETS_KEY_FILE')
    expect(unsealSecret(both, sealed, place)).toBe(pin)
    expect(sealSecret(both, pin, place)).toContain(`.${newKeys.current.id}.`)
    expect(() => unsealSecret(newKeys, sealed, place)).toThrow('cannot be read')
  })
})

describe('the keyed hash', () => {
  it('is equal for equal secrets of one column under one key, and different otherwise', () => {
    const hash = hashSecret(oldKeys, 'serial-1', place)
    expect(hashSecret(oldKeys, 'serial-1', { ...place })).toEqual(hash)
    expect(hashSecret(oldKeys, 'serial-2', place)).not.toEqual(hash)
    expect(hashSecret(oldKeys, 'serial-1', { ...place, column: 'other' })).not.toEqual(hash)
    expect(hashSecret(newKeys, 'serial-1', place)).not.toEqual(hash)
  })
})

describe('the secrets key', () => {
  let dataDir: string
  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'makola-secrets-'))
  })
  afterEach(() => rm(dataDir, { recursive: true, force: true }))
  const embedded = () => ({ secretsKey: undefined, databaseUrl: undefined, dataDir: join(dataDir, 'data') })

  it('of an embedded database is made once, for its owner’s eyes only, also by processes that start together', async () => {
    const loads = await Promise.all(Array.from({ length: 8 }, () => loadSecretsKeys(embedded())))
    expect(new Set(loads.map((keys) => keys.current.encryptionKey.export().toString('hex'))).size).toBe(1)
    expect(await readdir(join(dataDir, 'data'))).toEqual(['secrets.key'])
    expect((await stat(join(dataDir, 'data', 'secrets.key'))).mode & 0o777).toBe(0o600)
  })

  it('must be given with a database of somebody else', async () => {
    const load = loadSecretsKeys({ ...embedded(), databaseUrl: 'postgres://somewhere/makola' })
    await expect(load).rejects.toThrow('set SECRETS_KEY or SECRETS_KEY_FILE')
  })

  it.each(['short', oldText.slice(0, -4), `${oldText}AAAA`, `!${oldText.slice(1)}`])(
    'of the wrong form is refused without being repeated: %s',
    async (base64) => {
      const failure: unknown = await loadSecretsKeys({ ...embedded(), secretsKey: { base64 } }).catch((error: unknown) => error)
      const text = failure instanceof Error ? failure.message : ''
      expect(text).toContain('SECRETS_KEY must hold 32 bytes in base64')
      expect(text).not.toContain(base64)
    },
  )

  it('is read from SECRETS_KEY_FILE, and a file that is not there is named', async () => {
    const file = join(dataDir, 'key')
    await expect(loadSecretsKeys({ ...embedded(), secretsKey: { file } })).rejects.toThrow(`cannot be read: ${file}`)
    await writeFile(file, `${newText}\n${oldText}\n`)
    expect((await loadSecretsKeys({ ...embedded(), secretsKey: { file } })).current.id).toBe(newKeys.current.id)
    expect(await readFile(file, 'utf8')).toContain(newText)
  })
})

describe('the check at the start of a process', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await createTestDatabase()
  })
  afterAll(() => database.drop())

  it('lets one of two first keys that race in, and from then on refuses every other', async () => {
    const outcomes = await Promise.allSettled([checkSecretsKeys(database.db, oldKeys), checkSecretsKeys(database.db, newKeys)])
    expect(outcomes.map((outcome) => outcome.status).toSorted()).toEqual(['fulfilled', 'rejected'])
    const [winner, loser] = outcomes[0]?.status === 'fulfilled' ? [oldKeys, newKeys] : [newKeys, oldKeys]
    await checkSecretsKeys(database.db, winner)
    await expect(checkSecretsKeys(database.db, loser)).rejects.toThrow('sealed with another key')
  })

  it('accepts a new key beside the old one, and then the new one needs the old one still', async () => {
    await database.db.deleteFrom('secret_canaries').execute()
    await checkSecretsKeys(database.db, oldKeys)
    await checkSecretsKeys(database.db, parseSecretsKeys(`${newText},${oldText}`, 'SECRETS_KEY'))
    await expect(checkSecretsKeys(database.db, newKeys)).rejects.toThrow('sealed with another key')
  })
})
