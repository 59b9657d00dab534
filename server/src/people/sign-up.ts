import { AccountError, AccountValueError } from '../accounts/account.ts'
import { createAccount } from '../accounts/create-account.ts'
import { findAccount } from '../accounts/find-account.ts'
import type { Tx } from '../platform/database/database.ts'
import { inTransaction } from '../platform/database/in-transaction.ts'
import { newId } from '../platform/database/new-id.ts'
import { RefusalError, refusals } from '../platform/http/refusals.ts'
import { hashPersonPassword } from './auth/hash-password.ts'
import { queuePersonMail } from './mails/queue-person-mail.ts'
import type { PeopleDeps } from './people-deps.ts'
import { insertPerson, setPassword } from './person-rows.ts'
import { readPhone } from './phone/own-phone.ts'

export type SignUp = { readonly name: string; readonly email: string; readonly password: string; readonly phone?: string }

async function makeOwner(tx: Tx, { name, email, phone }: SignUp, passwordHash: string): Promise<void> {
  if (await findAccount(tx, email)) return
  const personId = newId()
  if (!(await insertPerson(tx, { personId, name, email, isVerified: false }))) return
  await setPassword(tx, personId, passwordHash)
  const { accountId } = await createAccount(tx, {
    email,
    name,
    role: 'customer',
    roleExpiresAt: null,
    isBusiness: false,
    isPolicyAccepted: false,
    actor: `person:${email}`,
  })
  if (phone !== undefined) {
    const row = { person_id: personId, phone: null, confirmed_at: null, asked_phone: phone }
    await tx.insertInto('person_phones').values(row).execute()
  }
  await tx.insertInto('members').values({ account_id: accountId, person_id: personId, role: 'owner' }).execute()
}

/**
 * Makes an account with its owner, who must confirm the e-mail before anything else works. For a known e-mail it makes nothing.
 * The answer is the same in both cases; a mail says what to do next.
 *
 * @throws RefusalError 400 for a name that cannot be stored or a phone number that is not Ghanaian, 429 after too many sign-ups
 */
export async function signUp(
  deps: Pick<PeopleDeps, 'db' | 'throttle' | 'readPhoneNumber'>,
  asked: SignUp,
  address: string,
): Promise<void> {
  const phone = asked.phone === undefined ? {} : { phone: readPhone(deps, asked.phone) }
  const request = { name: asked.name.trim(), email: asked.email.toLowerCase(), password: asked.password, ...phone }
  await deps.throttle.count('sign_up', request.email, address)
  // The password is hashed for a known e-mail too, so that the answer takes the same time.
  const passwordHash = await hashPersonPassword(request.password)
  try {
    await inTransaction(deps.db, async (tx) => {
      await makeOwner(tx, request, passwordHash)
      await queuePersonMail(tx, 'sign_up', request.email)
    })
  } catch (error) {
    if (error instanceof AccountValueError) throw new RefusalError(refusals.invalidRequest(error.message))
    if (!(error instanceof AccountError)) throw error
    // Another request made an account with this e-mail at the same moment.
    await queuePersonMail(deps.db, 'sign_up', request.email)
  }
}
