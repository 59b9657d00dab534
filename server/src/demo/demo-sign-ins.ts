import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writePrivateFile } from './write-private-file.ts'

/** The e-mail and password of one person of the demo. */
export type DemoSignIn = { readonly email: string; readonly password: string; readonly passwordHash: string }

/** The demo's two persons: the reseller's owner, and the owner of the operator's office. */
export type DemoSignIns = { readonly reseller: DemoSignIn; readonly operator: DemoSignIn }

/** The sign-ins of the demo's persons, as the file holds them. */
type ShownSignIn = Omit<DemoSignIn, 'passwordHash'>
export type ShownSignIns = { readonly reseller: ShownSignIn; readonly operator: ShownSignIn }

/** The account that the demo's user works with, and the person who signs in for it. */
export const demoEmail = 'demo@makola.test'
export const demoName = 'Demo Reseller'

/** Where the demo's sign-ins are kept for its user. */
export function demoSignInsFile(dataDir: string): string {
  return join(dataDir, 'demo-sign-ins.json')
}

/** Writes what both persons sign in with. */
export async function writeDemoSignIns(dataDir: string, { reseller, operator }: DemoSignIns): Promise<void> {
  const shown = ({ email, password }: DemoSignIn) => ({ email, password })
  await writePrivateFile(demoSignInsFile(dataDir), { reseller: shown(reseller), operator: shown(operator) })
}

const isShown = (kept: Partial<ShownSignIn> | undefined): kept is ShownSignIn =>
  typeof kept?.email === 'string' && typeof kept.password === 'string'

/** What the demo's persons sign in with; undefined when the file is missing or has another form. */
export async function readDemoSignIns(dataDir: string): Promise<ShownSignIns | undefined> {
  try {
    const kept = JSON.parse(await readFile(demoSignInsFile(dataDir), 'utf8')) as Partial<ShownSignIns>
    const { reseller, operator } = kept
    return isShown(reseller) && isShown(operator) ? { reseller, operator } : undefined
  } catch {
    return undefined
  }
}
