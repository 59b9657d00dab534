import { randomBytes } from 'node:crypto'
import { hashPersonPassword } from '../people/auth/hash-password.ts'
import { createMember } from '../people/manage-people.ts'
import { createFirstStaff } from '../people/staff/invite-staff.ts'
import type { Tx } from '../platform/database/database.ts'
import { type DemoSignIn, type DemoSignIns, demoEmail } from './demo-files.ts'

const operatorEmail = 'operator@makola.test'

/** Makes a sign-in whose password has 96 random bits, in characters that can be typed. */
async function makeSignIn(email: string): Promise<DemoSignIn> {
  const password = randomBytes(12).toString('base64url')
  return { email, password, passwordHash: await hashPersonPassword(password) }
}

/** Makes the passwords of both persons. Called before the transaction that seeds, because a hash takes long. */
export async function makeDemoSignIns(): Promise<DemoSignIns> {
  const [reseller, operator] = await Promise.all([makeSignIn(demoEmail), makeSignIn(operatorEmail)])
  return { reseller, operator }
}

/** Inserts both persons. The reseller's account must exist. */
export async function seedDemoPersons(tx: Tx, { reseller, operator }: DemoSignIns, actor: string): Promise<void> {
  await createMember(tx, { ...reseller, account: reseller.email, role: 'owner', actor })
  await createFirstStaff(tx, { ...operator, role: 'owner', actor })
}
