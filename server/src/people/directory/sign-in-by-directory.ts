import type { Db } from '../../platform/database/database.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { appendOperatorLog } from '../../platform/operator-log/append-operator-log.ts'
import { callAuth } from '../auth/call-auth.ts'
import { deviceCookie } from '../auth/known-device.ts'
import { type Browser, headersFor } from '../browser.ts'
import { hasPasskey } from '../passkeys/passkeys.ts'
import type { PeopleDeps } from '../people-deps.ts'
import { endOldSession, type SignedIn } from '../sign-in.ts'
import type { DirectoryClaims, DirectoryConfig } from './open-directory.ts'

/** Why a sign-in by the directory was refused. The sign-in screen has words for each. */
export type DirectoryRefusal =
  | 'too_many'
  | 'unreachable'
  | 'over'
  | 'declined'
  | 'failed'
  | 'unverified'
  | 'not_allowed'
  | 'not_staff'
  | 'other_person'

export class DirectoryError extends Error {
  override name = 'DirectoryError'
  readonly reason: DirectoryRefusal
  constructor(reason: DirectoryRefusal, cause?: unknown) {
    super(`the sign-in by the directory was refused: ${reason}`, { cause })
    this.reason = reason
  }
}

const isTrue = (claim: unknown) => claim === true || claim === 'true' || claim === 1 || claim === '1'

/** A claim that is one text or a list of texts. */
const textsOf = (claim: unknown): string[] => [claim].flat().filter((each) => typeof each === 'string')

/**
 * Reads the e-mail, in lower case. Some directories let users type any e-mail, also another person's. So the directory must say
 * that it is verified: by `email_verified`, or in Microsoft Entra by `xms_edov` (the domain's owner is verified).
 *
 * @throws DirectoryError when the e-mail is missing or not verified, or its domain or the person's group is not allowed
 */
function readEmail(claims: DirectoryClaims, { domains, group }: DirectoryConfig): string {
  const [email = ''] = textsOf(claims['email']).map((text) => text.trim().toLowerCase())
  const isVerified = isTrue(claims['email_verified']) || isTrue(claims['xms_edov'])
  if (email === '' || !isVerified) throw new DirectoryError('unverified')
  const domain = email.slice(email.lastIndexOf('@') + 1)
  const isInDomain = domains.length === 0 || domains.includes(domain)
  const isInGroup = group === undefined || textsOf(claims['groups']).includes(group)
  if (!isInDomain || !isInGroup) throw new DirectoryError('not_allowed')
  return email
}

/** True when the directory reports a second factor that `OIDC_TRUSTED_FACTORS` accepts. */
function hadSecondFactor(claims: DirectoryClaims, { trustedFactors }: DirectoryConfig): boolean {
  return [...textsOf(claims['amr']), ...textsOf(claims['acr'])].some((value) => trustedFactors.includes(value))
}

/**
 * Finds the member of the staff with this e-mail. The first sign-in ties the person to the directory's own id, because an e-mail
 * may be given to somebody else later.
 *
 * @throws DirectoryError when nobody of the staff has the e-mail, or it belongs to another person of the directory
 */
async function findStaff(db: Db, email: string, { iss, sub }: DirectoryClaims): Promise<{ id: string; hasTwoFactor: boolean }> {
  const subject = `${iss} ${sub}`
  return inTransaction(db, async (tx) => {
    const person = await tx
      .selectFrom('staff')
      .innerJoin('persons', 'persons.id', 'staff.person_id')
      .select(['persons.id', 'persons.two_factor_enabled as hasTwoFactor', 'staff.directory_subject as known'])
      .where('persons.email', '=', email)
      .forUpdate('staff')
      .executeTakeFirst()
    if (!person) throw new DirectoryError('not_staff')
    if (person.known === null) {
      await tx.updateTable('staff').set({ directory_subject: subject }).where('person_id', '=', person.id).execute()
      const details = { email, before: null, after: { issuer: iss } }
      await appendOperatorLog(tx, { actor: email, action: 'staff tie-to-directory', subject: person.id, details })
    } else if (person.known !== subject) throw new DirectoryError('other_person')
    return person
  })
}

/**
 * Signs in the member of the staff whom the directory names. It creates no person and no role. It asks for the second factor as
 * after a password, unless the directory has checked one that `OIDC_TRUSTED_FACTORS` accepts.
 *
 * @throws DirectoryError when the e-mail, its domain, the group or the person is not accepted
 */
export async function signInByDirectory(
  deps: Pick<PeopleDeps, 'db' | 'openAuth' | 'secretsKeys'>,
  config: DirectoryConfig,
  claims: DirectoryClaims,
  browser: Browser,
): Promise<SignedIn> {
  const email = readEmail(claims, config)
  const { id: personId, hasTwoFactor } = await findStaff(deps.db, email, claims)
  const isComplete = !hasTwoFactor || hadSecondFactor(claims, config)
  const auth = await deps.openAuth()
  const call = { body: { personId }, headers: headersFor(browser, 'none'), returnHeaders: true } as const
  const { cookies } = await callAuth(() => (isComplete ? auth.api.openSession(call) : auth.api.beginWaiting(call)))
  await endOldSession(auth, browser)
  if (!isComplete) return { status: 'second_factor', hasPasskey: await hasPasskey(deps.db, personId), cookies }
  return { status: 'signed_in', cookies: [...cookies, deviceCookie(deps.secretsKeys, browser.device, email)] }
}
