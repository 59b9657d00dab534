import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writePrivateFile } from './write-private-file.ts'

export type DemoSignIn = { readonly email: string; readonly password: string; readonly passwordHash: string }

/** The owner of the reseller's account, and an owner among the operator's staff. */
export type DemoSignIns = { readonly reseller: DemoSignIn; readonly operator: DemoSignIn }

/** A sign-in as the file holds it. */
type ShownSignIn = Omit<DemoSignIn, 'passwordHash'>
export type ShownSignIns = { readonly reseller: ShownSignIn; readonly operator: ShownSignIn }

/** The e-mail of the account that the demo's user works with, and of its owner. */
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
