import { isIP } from 'node:net'
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { newId } from '../../platform/database/new-id.ts'
import { RefusalError } from '../../platform/http/refusals.ts'
import { appendOperatorLog } from '../../platform/operator-log/append-operator-log.ts'
import type { Browser } from '../browser.ts'
import type { SignedInPerson } from '../find-person.ts'
import { queuePersonMail } from '../mails/queue-person-mail.ts'
import { peopleRefusals } from '../people.refusals.ts'
import type { PeopleDeps } from '../people-deps.ts'
import { type ChallengeUse, consumeChallenge, storeChallenge } from './challenges.ts'

type PasskeyDeps = Pick<PeopleDeps, 'db' | 'publicUrl' | 'throttle'>

export type Passkey = {
  readonly passkeyId: string
  readonly name: string
  readonly createdAt: Date
  /** Null: not used yet. */
  readonly lastUsedAt: Date | null
}

const passkeysMax = 10

/**
 * COSE: Ed25519, ES256, RS256. Common authenticators support one of them; the library's further ones are experimental in Node.
 */
const supportedAlgorithmIDs = [-8, -7, -257]

/**
 * The name for which browsers make and use the passkeys of this installation (WebAuthn: relying party id). A passkey for a name
 * works on no other page, which is why it cannot be phished.
 *
 * @throws RefusalError 409 when the public address has only numbers, with which passkeys do not work
 */
function relyingPartyOf({ publicUrl }: Pick<PeopleDeps, 'publicUrl'>): string {
  const { hostname } = new URL(publicUrl)
  if (isIP(hostname.replaceAll(/[[\]]/g, '')) !== 0) throw new RefusalError(peopleRefusals.passkeysNeedName)
  return hostname
}

/** The origins whose signatures count: the origin of the asking page, if its host is the public host and no subdomain of it. */
function originsOf(deps: PasskeyDeps, { origin }: Browser): string[] {
  return origin !== undefined && new URL(origin).hostname === relyingPartyOf(deps) ? [origin] : []
}

export async function listPasskeys(db: Db, personId: string): Promise<Passkey[]> {
  return db
    .selectFrom('person_passkeys')
    .select(['id as passkeyId', 'name', 'created_at as createdAt', 'last_used_at as lastUsedAt'])
    .where('person_id', '=', personId)
    .orderBy('id')
    .execute()
}

export async function hasPasskey(db: Db, personId: string): Promise<boolean> {
  const row = await db.selectFrom('person_passkeys').select('id').where('person_id', '=', personId).executeTakeFirst()
  return row !== undefined
}

function listCredentials(db: Db, personId: string) {
  return db.selectFrom('person_passkeys').select(['credential_id', 'transports']).where('person_id', '=', personId).execute()
}

const describe = ({ credential_id: id, transports }: { credential_id: string; transports: string[] }) => ({
  id,
  transports,
})

/** Uses up the challenge that the browser's answer names. @throws RefusalError 401 when the answer has no valid challenge */
async function consumeAnsweredChallenge(db: Db, owner: ChallengeUse, clientData: string): Promise<string> {
  const { decodeClientDataJSON } = await import('@simplewebauthn/server/helpers')
  let challenge: unknown
  try {
    challenge = decodeClientDataJSON(clientData).challenge
  } catch {
    // Client data that cannot be read is refused below.
  }
  if (typeof challenge === 'string' && (await consumeChallenge(db, owner, challenge))) return challenge
  throw new RefusalError(peopleRefusals.wrongPasskey)
}

/** A browser's answer when it makes or uses a passkey; the fields of each are checked where they are used. */
type BrowsersAnswer = AuthenticationResponseJSON & RegistrationResponseJSON

/** Reads what the browser made. @throws RefusalError 401 when it is no JSON of an answer */
function readAnswer(text: string): BrowsersAnswer {
  try {
    const answer = JSON.parse(text) as Partial<BrowsersAnswer> | null
    if (typeof answer?.id === 'string' && typeof answer.response?.clientDataJSON === 'string') return answer as BrowsersAnswer
  } catch {
    // Refused below.
  }
  throw new RefusalError(peopleRefusals.wrongPasskey)
}

/** The library throws a plain error for anything wrong in a browser's answer. All of them become one refusal. */
async function mustVerify<T extends { readonly verified: boolean }>(verifying: Promise<T>): Promise<T & { verified: true }> {
  const verification = await verifying.catch(() => undefined)
  if (!verification?.verified) throw new RefusalError(peopleRefusals.wrongPasskey)
  return verification as T & { verified: true }
}

/**
 * Makes the options for a browser to create a new passkey, as JSON. The passkey asks for the finger, face or PIN itself (user
 * verification), so that a stolen device alone is no second factor.
 *
 * @throws RefusalError 409 without a second factor, or where passkeys do not work, 429 after too many tries
 */
export async function beginPasskey(deps: PasskeyDeps, person: SignedInPerson, browser: Browser): Promise<string> {
  const { personId, email, name, sessionId, hasTwoFactor } = person
  if (!hasTwoFactor) throw new RefusalError(peopleRefusals.secondFactorIsOff)
  await deps.throttle.count('passkey', personId, browser.address)
  const rpID = relyingPartyOf(deps)
  const { generateRegistrationOptions } = await import('@simplewebauthn/server')
  const options = await generateRegistrationOptions({
    rpName: 'Makola',
    rpID,
    userID: new TextEncoder().encode(personId),
    userName: email,
    userDisplayName: name,
    excludeCredentials: (await listCredentials(deps.db, personId)).map(describe),
    supportedAlgorithmIDs,
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
  })
  await storeChallenge(deps.db, { purpose: 'add', holder: sessionId, personId }, options.challenge)
  return JSON.stringify(options)
}

/**
 * Stores a passkey that the person's browser made. A mail tells the person.
 *
 * @throws RefusalError 401 when the answer is not right, 409 for a known one, for too many, or without a second factor
 */
export async function addPasskey(
  deps: PasskeyDeps,
  person: SignedInPerson,
  { name, passkey }: { readonly name: string; readonly passkey: string },
  browser: Browser,
): Promise<void> {
  const { personId, sessionId } = person
  const response = readAnswer(passkey)
  const owner = { purpose: 'add', holder: sessionId, personId } as const
  const expectedChallenge = await consumeAnsweredChallenge(deps.db, owner, response.response.clientDataJSON)
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server')
  const { registrationInfo } = await mustVerify(
    verifyRegistrationResponse({
      response,
      expectedChallenge,
      expectedOrigin: originsOf(deps, browser),
      expectedRPID: relyingPartyOf(deps),
      requireUserVerification: true,
      supportedAlgorithmIDs,
    }),
  )
  const { id, publicKey, counter, transports = [] } = registrationInfo.credential
  await inTransaction(deps.db, async (tx) => {
    const factors = tx
      .selectFrom('person_two_factors')
      .select('id')
      .where('person_id', '=', personId)
      .where('verified', '=', true)
    if (!(await factors.forUpdate().executeTakeFirst())) throw new RefusalError(peopleRefusals.secondFactorIsOff)
    const held = await tx.selectFrom('person_passkeys').select('name').where('person_id', '=', personId).execute()
    if (held.length >= passkeysMax) throw new RefusalError(peopleRefusals.tooManyPasskeys)
    const added = await sql`
      insert into person_passkeys (id, person_id, name, credential_id, public_key, sign_count, transports)
      values (${newId()}, ${personId}, ${name}, ${id}, ${Buffer.from(publicKey)}, ${counter}, ${transports})
      on conflict (credential_id) do nothing`.execute(tx)
    if (added.numAffectedRows !== 1n) throw new RefusalError(peopleRefusals.passkeyIsKnown)
    await queuePersonMail(tx, 'passkey_added', person.email)
    if (person.staffRole) {
      const details = { email: person.email, before: { passkeys: held.length }, after: { passkeys: held.length + 1, name } }
      await appendOperatorLog(tx, { actor: person.email, action: 'staff add-passkey', subject: personId, details })
    }
  })
}

/**
 * Removes a passkey of the person; codes of the authenticator app still work. @throws RefusalError 404 when it is not the
 * person's
 */
export async function removePasskey(db: Db, person: SignedInPerson, passkeyId: string): Promise<void> {
  const { personId, email } = person
  await inTransaction(db, async (tx) => {
    const removed = await tx
      .deleteFrom('person_passkeys')
      .where('id', '=', passkeyId)
      .where('person_id', '=', personId)
      .returning('name')
      .executeTakeFirst()
    if (!removed) throw new RefusalError(peopleRefusals.passkeyNotFound)
    await queuePersonMail(tx, 'passkey_removed', email)
    if (person.staffRole) {
      const details = { email, before: { name: removed.name }, after: null }
      await appendOperatorLog(tx, { actor: email, action: 'staff remove-passkey', subject: personId, details })
    }
  })
}

/** Makes the options for a browser to use one of the person's passkeys, as JSON. @throws RefusalError 409 without a passkey */
export async function createPasskeyRequest(deps: PasskeyDeps, owner: ChallengeUse): Promise<string> {
  const rpID = relyingPartyOf(deps)
  const held = await listCredentials(deps.db, owner.personId)
  if (held.length === 0) throw new RefusalError(peopleRefusals.noPasskey)
  const { generateAuthenticationOptions } = await import('@simplewebauthn/server')
  const options = await generateAuthenticationOptions({
    rpID,
    allowCredentials: held.map(describe),
    userVerification: 'required',
  })
  await storeChallenge(deps.db, owner, options.challenge)
  return JSON.stringify(options)
}

/**
 * Checks the signature of one of the person's passkeys. Each signature counts once. @throws RefusalError 401 when it is not
 * right
 */
export async function checkPasskey(deps: PasskeyDeps, owner: ChallengeUse, passkey: string, browser: Browser): Promise<void> {
  const response = readAnswer(passkey)
  const expectedChallenge = await consumeAnsweredChallenge(deps.db, owner, response.response.clientDataJSON)
  const held = await deps.db
    .selectFrom('person_passkeys')
    .select(['id', 'credential_id', 'transports', 'public_key', 'sign_count'])
    .where('person_id', '=', owner.personId)
    .where('credential_id', '=', response.id)
    .executeTakeFirst()
  if (!held) throw new RefusalError(peopleRefusals.wrongPasskey)
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
  const { authenticationInfo } = await mustVerify(
    verifyAuthenticationResponse({
      response,
      expectedChallenge,
      expectedOrigin: originsOf(deps, browser),
      expectedRPID: relyingPartyOf(deps),
      credential: { ...describe(held), publicKey: new Uint8Array(held.public_key), counter: Number(held.sign_count) },
      requireUserVerification: true,
    }),
  )
  await sql`
    update person_passkeys set sign_count = ${authenticationInfo.newCounter}, last_used_at = clock_timestamp()
    where id = ${held.id}`.execute(deps.db)
}
