import { sql } from 'kysely'
import { refuseApproval } from '../../platform/approvals/decide-approval.ts'
import { deskUser, type Person } from '../../platform/approvals/two-people.ts'
import type { Db, Tx } from '../../platform/database/database.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { newId } from '../../platform/database/new-id.ts'
import { RefusalError } from '../../platform/http/refusals.ts'
import { appendOperatorLog } from '../../platform/operator-log/append-operator-log.ts'
import type { Browser } from '../browser.ts'
import { linkTokenDigest } from '../mails/make-link.ts'
import { queuePersonMail } from '../mails/queue-person-mail.ts'
import { peopleRefusals } from '../people.refusals.ts'
import type { PeopleDeps } from '../people-deps.ts'
import { readOwnPhone } from '../phone/own-phone.ts'
import { readWaitingSignIn } from '../sign-in.ts'
import { findPersonRoles } from '../staff/reset-second-factor.ts'
import { lostFactorReset } from './lost-factor.settings.ts'

/** A report about which no proposal waits is deleted after this time. */
const waitDaysMax = 7

type LostFactor = { readonly personId: string; readonly accountId: string; readonly email: string }

/**
 * Notes that a member of an account lost the second factor. Tells the person by mail, and also by text to a confirmed number. A
 * second report changes nothing.
 * @returns the id of the case
 */
export async function openLostFactor(tx: Tx, { personId, accountId, email }: LostFactor, actor: string): Promise<string> {
  const opened = await tx
    .insertInto('lost_factors')
    .values({ id: newId(), person_id: personId, stop_digest: null })
    .onConflict((conflict) => conflict.column('person_id').doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!opened) {
    const open = await tx.selectFrom('lost_factors').select('id').where('person_id', '=', personId).executeTakeFirstOrThrow()
    return open.id
  }
  await queuePersonMail(tx, 'second_factor_lost', email)
  const { phone } = await readOwnPhone(tx, personId)
  if (phone !== null) await queuePersonMail(tx, 'second_factor_lost', email, { phone })
  const details = { email, person_id: personId }
  await appendOperatorLog(tx, { actor, action: 'member lose-second-factor', subject: accountId, details })
  return opened.id
}

/**
 * Notes that a person lost the phone and the back-up codes. The person has given the right password, and the sign-in waits for
 * a code.
 * @returns the person's id
 * @throws RefusalError 401 when no sign-in waits, 403 for a member of no account, 409 for one of the staff, 429 after too many
 * reports
 */
export async function reportLostFactor(
  deps: Pick<PeopleDeps, 'db' | 'openAuth' | 'throttle'>,
  browser: Browser,
): Promise<string> {
  const { personId } = await readWaitingSignIn(deps, browser)
  await deps.throttle.count('lost_factor', personId, browser.address)
  const { email } = await deps.db.selectFrom('persons').select('email').where('id', '=', personId).executeTakeFirstOrThrow()
  await inTransaction(deps.db, async (tx) => {
    const person = await findPersonRoles(tx, email)
    if (person?.staffRole) throw new RefusalError(peopleRefusals.askAnOwner)
    if (!person?.member) throw new RefusalError(peopleRefusals.notMember)
    await openLostFactor(tx, { personId, accountId: person.member.accountId, email }, `person:${email}`)
  })
  return personId
}

/** True while a proposal of the staff waits about the report `lost`. */
export const isResetProposed = sql`exists (
  select from approvals
  where kind = ${sql.lit(lostFactorReset)} and key = lost.person_id::text and state = 'pending' and expires_at > now())`

/** Refuses the staff's proposals about the case. Call it before the case is locked: a decision locks both in this order. */
async function refuseProposals(tx: Tx, personId: string, person: Person, note: string): Promise<void> {
  const waiting = await tx
    .selectFrom('approvals')
    .select('id')
    .where('kind', '=', lostFactorReset)
    .where('key', '=', personId)
    .where('state', '=', 'pending')
    .where('expires_at', '>', sql<Date>`now()`)
    .forUpdate()
    .execute()
  for (const { id: approvalId } of waiting) await refuseApproval(tx, { approvalId, person, note })
}

type Ending = {
  readonly personId: string
  readonly accountId: string
  readonly person: Person
  readonly action: 'member keep-second-factor' | 'member stop-second-factor'
  readonly reason: string
}

/** Ends a case and keeps the second factor. @returns false when no case was open */
export async function endLostFactor(tx: Tx, { personId, accountId, person, action, reason }: Ending): Promise<boolean> {
  await refuseProposals(tx, personId, person, reason)
  const ended = await tx.deleteFrom('lost_factors').where('person_id', '=', personId).returning('id').executeTakeFirst()
  if (!ended) return false
  await appendOperatorLog(tx, { actor: person.by, action, subject: accountId, details: { person_id: personId, reason } })
  return true
}

/** Ends the case for the person, who asks in a session or by the link of the mail. @returns false when no case is open */
async function stopLostFactor(tx: Tx, personId: string): Promise<boolean> {
  const { email, account_id: accountId } = await tx
    .selectFrom('persons')
    .leftJoin('members', 'members.person_id', 'persons.id')
    .select(['persons.email', 'members.account_id'])
    .where('persons.id', '=', personId)
    .executeTakeFirstOrThrow()
  const person = { by: `person:${email}`, osUser: deskUser(email), personId }
  const reason = 'The person stopped it: the second factor is not lost.'
  return endLostFactor(tx, {
    personId,
    accountId: accountId ?? personId,
    person,
    action: 'member stop-second-factor',
    reason,
  })
}

export const stopOwnLostFactor = (db: Db, personId: string): Promise<boolean> =>
  inTransaction(db, (tx) => stopLostFactor(tx, personId))

/** @throws RefusalError 400 when the link works no more, 429 after too many tries */
export async function stopLostFactorByLink(
  { db, throttle }: Pick<PeopleDeps, 'db' | 'throttle'>,
  token: string,
  address: string,
): Promise<void> {
  await throttle.count('reset', undefined, address)
  await inTransaction(db, async (tx) => {
    const digest = linkTokenDigest(token)
    const lost = await tx.selectFrom('lost_factors').select('person_id').where('stop_digest', '=', digest).executeTakeFirst()
    if (!lost || !(await stopLostFactor(tx, lost.person_id))) throw new RefusalError(peopleRefusals.linkInvalid)
  })
}

/** Deletes reports of lost second factors about which the staff did nothing for too long, or whose proposals were not decided. */
export async function endForgottenLostFactors(db: Db): Promise<void> {
  await sql`
    delete from lost_factors as lost
    where asked_at < clock_timestamp() - make_interval(days => ${waitDaysMax}) and not ${isResetProposed}`.execute(db)
}
