import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { KeyType } from '../accounts/caller.ts'
import { writePrivateFile } from './write-private-file.ts'

export type DemoKeys = Readonly<Record<KeyType, string>>

export function demoKeysFile(dataDir: string): string {
  return join(dataDir, 'demo-keys.json')
}

export async function writeDemoKeys(dataDir: string, { standard, sms, commission }: DemoKeys): Promise<void> {
  await writePrivateFile(demoKeysFile(dataDir), { standard, sms, commission })
}

/** Undefined when the file is missing or has another form. */
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
