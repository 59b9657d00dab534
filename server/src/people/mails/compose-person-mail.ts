import { sql } from 'kysely'
import { looseningWaitHours } from '../../guards/loosening.ts'
import type { Db } from '../../platform/database/database.ts'
import { readSetting } from '../../platform/settings/settings.ts'
import { showMoment } from '../../platform/texts-for-people.ts'
import { lostFactorReset, lostFactorWaitHours } from '../lost-factor/lost-factor.settings.ts'
import { composeLostFactorText, composePhoneChanged, composePhoneCode } from './compose-phone-message.ts'
import type { ComposeDeps, ComposedMail, QueuedMail } from './composed-mail.ts'
import { makeInvitationLink, makePasswordLink, makeStopLink, makeVerificationLink } from './make-link.ts'
import type { PersonMailKind } from './queue-person-mail.ts'

const ending = (publicUrl: string) => `\n\nThis mail is about the sign-in at ${publicUrl}\n`

function findPerson(db: Db, email: string) {
  return db.selectFrom('persons').select(['id', 'name', 'email_verified']).where('email', '=', email).executeTakeFirst()
}

async function composeSignUp({ db, openAuth, publicUrl }: ComposeDeps, { email }: QueuedMail): Promise<ComposedMail> {
  const person = await findPerson(db, email)
  if (!person) {
    // The e-mail belongs to an account, and no person signs in with it.
    return {
      subject: 'You are known to us already',
      text: `Somebody signed up with this e-mail. There already is an account with it, but no sign-in.\nAsk support to make you a sign-in. If it was not you, do nothing.`,
    }
  }
  if (person.email_verified) {
    return {
      subject: 'You have a sign-in already',
      text: `Somebody signed up with this e-mail, but you have a sign-in already: ${publicUrl}/app\nIf you forgot the password, ask for a new one there. If it was not you, do nothing.`,
    }
  }
  const link = await makeVerificationLink({ openAuth, publicUrl }, email)
  return {
    subject: 'Confirm your e-mail',
    text: `Hello ${person.name},\n\nto finish your sign-up, open this link and give the password that you chose:\n${link}\n\nIt works for one day. If you did not sign up, do nothing.`,
  }
}

/** True for one of the staff who is a member of no account. Links in mails to this person lead to the desk. */
async function isOnlyStaff(db: Db, personId: string): Promise<boolean> {
  const row = await db
    .selectFrom('staff')
    .leftJoin('members', 'members.person_id', 'staff.person_id')
    .select('members.role as memberRole')
    .where('staff.person_id', '=', personId)
    .executeTakeFirst()
  return row !== undefined && row.memberRole === null
}

async function composeForgotPassword(
  { db, openAuth, publicUrl }: ComposeDeps,
  { email }: QueuedMail,
): Promise<ComposedMail | undefined> {
  const person = await findPerson(db, email)
  if (!person) return undefined
  const page = (await isOnlyStaff(db, person.id)) ? '/desk/set-password' : '/app/set-password'
  const link = await makePasswordLink({ openAuth, publicUrl }, email, { hours: 1, page })
  return {
    subject: 'Choose a new password',
    text: `Hello ${person.name},\n\nopen this link to choose a new password:\n${link}\n\nIt works once, for one hour. If you did not ask for it, do nothing: your password stays as it is.`,
  }
}

async function composePasswordChanged({ db, publicUrl }: ComposeDeps, { email }: QueuedMail): Promise<ComposedMail | undefined> {
  const person = await findPerson(db, email)
  if (!person) return undefined
  return {
    subject: 'Your password was changed',
    text: `Hello ${person.name},\n\nyour password was changed, and your other sessions were ended.\nIf it was not you, choose a new one at once: ${publicUrl}/app`,
  }
}

const roleWords = {
  owner: 'an owner, who may do everything',
  buyer: 'a buyer, who buys, sends SMS and tops up',
  viewer: 'a viewer, who may look at everything',
} as const

async function composeInvitation(
  { db, publicUrl }: ComposeDeps,
  { invitation_id: invitationId }: QueuedMail,
): Promise<ComposedMail | undefined> {
  if (invitationId === null) return undefined
  const invitation = await db
    .selectFrom('member_invitations')
    .innerJoin('accounts', 'accounts.id', 'member_invitations.account_id')
    .select(['accounts.name', 'member_invitations.role', 'member_invitations.actor', 'member_invitations.expires_at'])
    .where('member_invitations.id', '=', invitationId)
    .where('member_invitations.expires_at', '>', sql<Date>`clock_timestamp()`)
    .executeTakeFirst()
  const link = invitation && (await makeInvitationLink(db, publicUrl, invitationId))
  if (!invitation || link === undefined) return undefined
  const { name, role, actor, expires_at: expiresAt } = invitation
  return {
    subject: `Join ${name}`,
    text: `Hello,\n\n${actor.replace(/^person:/, '')} invites you to act for the account ${name} as ${roleWords[role]}. Open this link to join:\n${link}\n\nIt works once, until ${showMoment(expiresAt)}. If you do not know them, do nothing.`,
  }
}

const staffRoleWords = {
  owner: 'an owner, who may do everything',
  finance: 'finance, who moves and reconciles money',
  support: 'support, who helps resellers and settles orders',
  catalogue: 'catalogue, who keeps prices, stock and suppliers',
  auditor: 'an auditor, who may look at everything',
} as const

/** Long, because the mail may wait in the mailbox. */
export const staffLinkHours = 72

async function composeStaffInvitation(
  { db, openAuth, publicUrl }: ComposeDeps,
  { email }: QueuedMail,
): Promise<ComposedMail | undefined> {
  const person = await db
    .selectFrom('staff')
    .innerJoin('persons', 'persons.id', 'staff.person_id')
    .leftJoin('person_credentials', 'person_credentials.person_id', 'persons.id')
    .select(['persons.name', 'staff.role', 'person_credentials.id as password_id'])
    .where('persons.email', '=', email)
    .executeTakeFirst()
  if (!person) return undefined
  const next =
    person.password_id === null
      ? `Open this link to choose a password. It works once, for three days:\n${await makePasswordLink({ openAuth, publicUrl }, email, { hours: staffLinkHours, page: '/desk/set-password' })}`
      : `Sign in with the password that you have: ${publicUrl}/desk`
  return {
    subject: 'You were let in at the desk',
    text: `Hello ${person.name},\n\nyou were let in as ${staffRoleWords[person.role]}. ${next}\n\nYou will be asked to switch on a second factor first. If you do not know what this is, do nothing.`,
  }
}

async function composeSecondFactorLost(deps: ComposeDeps, mail: QueuedMail): Promise<ComposedMail | undefined> {
  if (mail.phone !== null) return composeLostFactorText(deps, mail)
  const { db, publicUrl } = deps
  const person = await findPerson(db, mail.email)
  const link = person && (await makeStopLink(db, publicUrl, person.id))
  if (!person || link === undefined) return undefined
  return {
    subject: 'Somebody said that you lost your second factor',
    text: `Hello ${person.name},\n\nsomebody asked us to switch your second factor off, because your phone and your back-up codes were said to be lost.\n\nIf it was not you, stop it now with this link, then choose a new password, because that person may know yours:\n${link}\n\nIf it was you, do nothing. Our people make sure that it is you, which may take a day or two. Another mail then says how you get in.`,
  }
}

async function composeSecondFactorReset(
  { db, openAuth, publicUrl }: ComposeDeps,
  { email }: QueuedMail,
): Promise<ComposedMail | undefined> {
  const person = await findPerson(db, email)
  if (!person) return undefined
  const face = (await isOnlyStaff(db, person.id)) ? 'desk' : 'app'
  if (!person.email_verified) {
    const link = await makeVerificationLink({ openAuth, publicUrl }, email)
    return {
      subject: 'Your second factor was switched off',
      text: `Hello ${person.name},\n\nour people switched your second factor off, because it was said to be lost, and ended all your sessions. Your password is as it was.\n\nWhat to do: open this link, give your password, and switch a new second factor on:\n${link}\n\nIt works for one day. Later, say at the sign-in that you forgot the password. If you did not ask for this, write to us at once.`,
    }
  }
  return {
    subject: 'Your second factor was switched off',
    text: `Hello ${person.name},\n\nour people switched your second factor off, because it was said to be lost, and ended all your sessions. Your password is as it was.\n\nWhat to do: sign in and switch a new second factor on: ${publicUrl}/${face}\nIf you did not ask for this, choose a new password there at once and write to us.`,
  }
}

async function composePasskeyChange(
  { db, publicUrl }: ComposeDeps,
  { email, kind }: QueuedMail,
): Promise<ComposedMail | undefined> {
  const person = await findPerson(db, email)
  if (!person) return undefined
  const face = (await isOnlyStaff(db, person.id)) ? 'desk' : 'app'
  const change = kind === 'passkey_added' ? 'added to' : 'removed from'
  return {
    subject: `A passkey was ${change} your sign-in`,
    text: `Hello ${person.name},\n\na passkey was ${change} your sign-in. If it was you, do nothing.\nIf it was not you, choose a new password and look at your passkeys at once: ${publicUrl}/${face}`,
  }
}

/** Only staff get reports: undefined for somebody who has left the staff. */
async function composeReportMail(
  { db, composeReport: compose }: ComposeDeps,
  { email, report_schedule_id: scheduleId, report_day: lastDay }: QueuedMail,
): Promise<ComposedMail | undefined> {
  if (compose === undefined || scheduleId === null || lastDay === null) return undefined
  const person = await db
    .selectFrom('staff')
    .innerJoin('persons', 'persons.id', 'staff.person_id')
    .select('persons.name')
    .where('persons.email', '=', email)
    .executeTakeFirst()
  const report = person && (await compose(scheduleId, lastDay))
  return report && { ...report, text: `Hello ${person.name},\n\n${report.text}` }
}

async function composeLoosening({ db, publicUrl }: ComposeDeps, mail: QueuedMail): Promise<ComposedMail | undefined> {
  if (mail.approval_id === null) return undefined
  const proposal = await db
    .selectFrom('approvals')
    .select(['id', 'kind', 'subject', 'before', 'after', 'reason', 'proposed_by'])
    .where('id', '=', mail.approval_id)
    .where('state', '=', 'pending')
    .executeTakeFirst()
  if (!proposal) return undefined
  const { id, kind, subject, before, after, reason, proposed_by: by } = proposal
  const hours = kind === lostFactorReset ? await readSetting(db, lostFactorWaitHours) : looseningWaitHours
  return {
    subject: `${by} wants to loosen what guards the money or a sign-in`,
    text: `Hello,\n\n${by} proposes "${kind}", about ${subject}: from ${before} to ${after}.${reason === '' ? '' : ` The reason given: ${reason}.`}\n\nIt takes a second person. Where nobody else could confirm it, it takes effect by itself ${hours} hours after this mail.\nIf you did not expect it, refuse it now: ${publicUrl}/desk/approvals/${id}`,
  }
}

type Compose = (deps: ComposeDeps, mail: QueuedMail) => Promise<ComposedMail | undefined>

const composers = {
  sign_up: composeSignUp,
  forgot_password: composeForgotPassword,
  password_changed: composePasswordChanged,
  invitation: composeInvitation,
  staff_invitation: composeStaffInvitation,
  second_factor_lost: composeSecondFactorLost,
  second_factor_reset: composeSecondFactorReset,
  passkey_added: composePasskeyChange,
  passkey_removed: composePasskeyChange,
  report: composeReportMail,
  loosening: composeLoosening,
  phone_code: composePhoneCode,
  phone_recovery: composePhoneCode,
  phone_changed: composePhoneChanged,
} as const satisfies Record<PersonMailKind, Compose>

/**
 * Composes a mail. A link in the mail works from this moment on.
 * @returns undefined when the mail has lost its purpose, for example because its invitation was withdrawn
 */
export async function composePersonMail(deps: ComposeDeps, mail: QueuedMail): Promise<ComposedMail | undefined> {
  const composed = await composers[mail.kind](deps, mail)
  if (mail.phone !== null) return composed
  return composed && { ...composed, text: `${composed.text}${ending(deps.publicUrl)}` }
}
