import { createHash, randomBytes } from 'node:crypto'
import type { Db } from '../../platform/database/database.ts'
import type { OpenAuth } from '../auth/open-auth.ts'

type LinkDeps = { readonly openAuth: OpenAuth; readonly publicUrl: string }

/** The token follows the #, a part of the address that browsers do not send, so no log and no other site gets it. */
function linkTo(publicUrl: string, page: string, token: string | undefined): string {
  if (token === undefined) throw new Error('the library made no token')
  return `${publicUrl}${page}#token=${encodeURIComponent(token)}`
}

/** @throws Error when there is no person with this e-mail, or it is confirmed already */
export async function makeVerificationLink({ openAuth, publicUrl }: LinkDeps, email: string): Promise<string> {
  let token: string | undefined
  const auth = await openAuth({ onToken: (made) => void (token = made) })
  await auth.api.sendVerificationEmail({ body: { email } })
  return linkTo(publicUrl, '/app/verify', token)
}

/**
 * Makes a link that sets a password once, within `hours`.
 * @throws Error when there is no person with this e-mail
 */
export async function makePasswordLink(
  { openAuth, publicUrl }: LinkDeps,
  email: string,
  { hours, page = '/app/set-password' }: { readonly hours: number; readonly page?: string },
): Promise<string> {
  return linkTo(publicUrl, page, await makePasswordToken(openAuth, email, hours))
}

/** Makes the token of a link that sets a password. @throws Error when there is no person with this e-mail */
export async function makePasswordToken(openAuth: OpenAuth, email: string, hours: number): Promise<string> {
  let token: string | undefined
  const auth = await openAuth({ onToken: (made) => void (token = made), resetHours: hours })
  await auth.api.requestPasswordReset({ body: { email } })
  if (token === undefined) throw new Error('the library made no token')
  return token
}

/**
 * Makes a link that withdraws the report of a lost second factor. Earlier links stop working.
 * @returns undefined when no report is open any more
 */
export async function makeStopLink(db: Db, publicUrl: string, personId: string): Promise<string | undefined> {
  const token = randomBytes(32).toString('base64url')
  const made = await db
    .updateTable('lost_factors')
    .set({ stop_digest: linkTokenDigest(token) })
    .where('person_id', '=', personId)
    .returning('id')
    .executeTakeFirst()
  return made && linkTo(publicUrl, '/app/keep-second-factor', token)
}

/**
 * Makes a link that accepts an invitation once. Earlier links of the invitation stop working.
 *
 * @returns undefined when the invitation was used, withdrawn or deleted after its time
 */
export async function makeInvitationLink(db: Db, publicUrl: string, invitationId: string): Promise<string | undefined> {
  const token = randomBytes(32).toString('base64url')
  const made = await db
    .updateTable('member_invitations')
    .set({ token_digest: linkTokenDigest(token) })
    .where('id', '=', invitationId)
    .returning('id')
    .executeTakeFirst()
  return made && linkTo(publicUrl, '/app/join', token)
}

/** The digest that is stored in place of the token of a link: of an invitation, or of the stop of a lost second factor. */
export const linkTokenDigest = (token: string): Buffer => createHash('sha256').update(token).digest()
