import { randomBytes, randomUUID } from 'node:crypto'
import { link, mkdir, open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { parseSecretsKeys, SecretsKeyError, type SecretsKeys } from './secrets-keys.ts'

export type SecretsKeysSource = {
  readonly secretsKey: { readonly base64: string } | { readonly file: string } | undefined
  readonly databaseUrl: string | undefined
  readonly dataDir: string
}

/** The key in an embedded database's own folder. Without it the folder's secrets cannot be read. */
const keyFileName = 'secrets.key'

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}

async function readKeyFile(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    throw new SecretsKeyError(`The file of the secrets key cannot be read: ${file}`, { cause: error })
  }
}

/** Writes the key under another name and links it into place: a second process sees a whole key or none. */
async function makeKeyFile(file: string): Promise<void> {
  const unfinished = `${file}.${randomUUID()}`
  const handle = await open(unfinished, 'wx', 0o600)
  try {
    await handle.writeFile(`${randomBytes(32).toString('base64')}\n`)
    await handle.sync()
  } finally {
    await handle.close()
  }
  try {
    await link(unfinished, file)
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error
  } finally {
    await rm(unfinished)
  }
}

export const keyFileOf = (dataDir: string): string => join(dataDir, keyFileName)

async function readOrMakeKeyFile(dataDir: string): Promise<SecretsKeys> {
  const file = keyFileOf(dataDir)
  await mkdir(dataDir, { recursive: true })
  try {
    return parseSecretsKeys(await readFile(file, 'utf8'), file)
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error
  }
  await makeKeyFile(file)
  return parseSecretsKeys(await readKeyFile(file), file)
}

/**
 * Finds the keys that seal secrets: SECRETS_KEY, SECRETS_KEY_FILE, or with the embedded database a key made once in
 * DATA_DIR. A database somewhere else may be shared by machines and outlive this folder, so its key must be given.
 *
 * @throws SecretsKeyError when a key is missing or malformed
 */
export async function loadSecretsKeys(source: SecretsKeysSource): Promise<SecretsKeys> {
  const given = source.secretsKey
  if (given && 'base64' in given) return parseSecretsKeys(given.base64, 'SECRETS_KEY')
  if (given) return parseSecretsKeys(await readKeyFile(given.file), given.file)
  if (source.databaseUrl === undefined) return readOrMakeKeyFile(source.dataDir)
  throw new SecretsKeyError(
    'With DATABASE_URL the key that secrets are sealed with must be given: set SECRETS_KEY or SECRETS_KEY_FILE to ' +
      '32 bytes in base64, the same for every process. Make one with `openssl rand -base64 32` and keep a copy.',
  )
}
