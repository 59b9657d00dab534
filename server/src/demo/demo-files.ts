import { randomUUID } from 'node:crypto'
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { KeyType } from '../accounts/caller.ts'

/** Writes JSON to a file as a whole or not at all. Only this user may read it. */
async function writePrivateFile(file: string, content: object): Promise<void> {
  await mkdir(dirname(file), { recursive: true })
  const unfinished = `${file}.${randomUUID()}`
  try {
    const handle = await open(unfinished, 'wx', 0o600)
    try {
      await handle.writeFile(`${JSON.stringify(content, null, 2)}\n`)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(unfinished, file)
  } catch (error) {
    await rm(unfinished, { force: true })
    throw error
  }
}

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

export type DemoSignIn = { readonly email: string; readonly password: string; readonly passwordHash: string }

/** The owner of the reseller's account, and an owner among the operator's staff. */
export type DemoSignIns = { readonly reseller: DemoSignIn; readonly operator: DemoSignIn }

/** A sign-in as the file holds it. */
type ShownSignIn = Omit<DemoSignIn, 'passwordHash'>
export type ShownSignIns = { readonly reseller: ShownSignIn; readonly operator: ShownSignIn }

/** The e-mail of the demo's account, and of the owner of that account. */
export const demoEmail = 'demo@makola.test'
export const demoName = 'Demo Reseller'

export function demoSignInsFile(dataDir: string): string {
  return join(dataDir, 'demo-sign-ins.json')
}

export async function writeDemoSignIns(dataDir: string, { reseller, operator }: DemoSignIns): Promise<void> {
  const shown = ({ email, password }: DemoSignIn) => ({ email, password })
  await writePrivateFile(demoSignInsFile(dataDir), { reseller: shown(reseller), operator: shown(operator) })
}

const isShown = (kept: Partial<ShownSignIn> | undefined): kept is ShownSignIn =>
  typeof kept?.email === 'string' && typeof kept.password === 'string'

/** Undefined when the file is missing or has another form. */
export async function readDemoSignIns(dataDir: string): Promise<ShownSignIns | undefined> {
  try {
    const kept = JSON.parse(await readFile(demoSignInsFile(dataDir), 'utf8')) as Partial<ShownSignIns>
    const { reseller, operator } = kept
    return isShown(reseller) && isShown(operator) ? { reseller, operator } : undefined
  } catch {
    return undefined
  }
}
