import { randomUUID } from 'node:crypto'
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { KeyType } from '../accounts/caller.ts'

/** The demo account's three keys. */
export type DemoKeys = Readonly<Record<KeyType, string>>

/** Where the demo's keys are kept for its user. */
export function demoKeysFile(dataDir: string): string {
  return join(dataDir, 'demo-keys.json')
}

/** Writes the keys to a file that only this user may read. It appears complete or not at all. */
export async function writeDemoKeys(dataDir: string, keys: DemoKeys): Promise<void> {
  await mkdir(dataDir, { recursive: true })
  const unfinished = `${demoKeysFile(dataDir)}.${randomUUID()}`
  try {
    const handle = await open(unfinished, 'wx', 0o600)
    try {
      const { standard, sms, commission } = keys
      await handle.writeFile(`${JSON.stringify({ standard, sms, commission }, null, 2)}\n`)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(unfinished, demoKeysFile(dataDir))
  } catch (error) {
    await rm(unfinished, { force: true })
    throw error
  }
}

/** Reads the keys; undefined when the file is missing or has another form. */
export async function readDemoKeys(dataDir: string): Promise<DemoKeys | undefined> {
  try {
    const keys: unknown = JSON.parse(await readFile(demoKeysFile(dataDir), 'utf8'))
    if (typeof keys !== 'object' || keys === null) return undefined
    const { standard, sms, commission } = keys as Partial<Record<KeyType, unknown>>
    if (typeof standard !== 'string' || typeof sms !== 'string' || typeof commission !== 'string') return undefined
    return { standard, sms, commission }
  } catch {
    return undefined
  }
}
