import type { Db } from '../../platform/database/database.ts'
import type { OpenAuth } from '../auth/open-auth.ts'
import { makeInvitationLink, makePasswordLink, makeVerificationLink } from './make-link.ts'
import type { PersonMailKind } from './queue-person-mail.ts'

/** A mail in words. */
export type WordedMail = { readonly subject: string; readonly text: string }

export type WordingDeps = { readonly db: Db; readonly openAuth: OpenAuth; readonly publicUrl: string }

const ending = (publicUrl: string) => `\n\nThis mail is about the sign-in at ${publicUrl}\n`

function findPerson(db: Db, email: string) {
  return db.selectFrom('persons').select(['id', 'name', 'email_verified']).where('email', '=', email).executeTakeFirst()
}

async function wordSignUp({ db, openAuth, publicUrl }: WordingDeps, email: string): Promise<WordedMail> {
  const person = await findPerson(db, email)
  if (!person) {
    // Only an account that was made without a person has this e-mail.
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

/** Whether somebody signs in at the desk alone, so that links lead there. */
async function isOnlyStaff(db: Db, personId: string): Promise<boolean> {
  const row = await db
    .selectFrom('staff')
    .leftJoin('members', 'members.person_id', 'staff.person_id')
    .select('members.role as memberRole')
    .where('staff.person_id', '=', personId)
    .executeTakeFirst()
  return row !== undefined && row.memberRole === null
}

async function wordForgotPassword({ db, openAuth, publicUrl }: WordingDeps, email: string): Promise<WordedMail | undefined> {
  const person = await findPerson(db, email)
  if (!person) return undefined
  const page = (await isOnlyStaff(db, person.id)) ? '/desk/set-password' : '/app/set-password'
  const link = await makePasswordLink({ openAuth, publicUrl }, email, { hours: 1, page })
  return {
    subject: 'Choose a new password',
    text: `Hello ${person.name},\n\nopen this link to choose a new password:\n${link}\n\nIt works once, for one hour. If you did not ask for it, do nothing: your password stays as it is.`,
  }
}

async function wordPasswordChanged({ db, publicUrl }: WordingDeps, email: string): Promise<WordedMail | undefined> {
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

async function wordInvitation(
  { db, publicUrl }: WordingDeps,
  _email: string,
  invitationId: string | null,
): Promise<WordedMail | undefined> {
  if (invitationId === null) return undefined
  const invitation = await db
    .selectFrom('member_invitations')
    .innerJoin('accounts', 'accounts.id', 'member_invitations.account_id')
    .select(['accounts.name', 'member_invitations.role', 'member_invitations.actor'])
    .where('member_invitations.id', '=', invitationId)
    .executeTakeFirst()
  const link = invitation && (await makeInvitationLink(db, publicUrl, invitationId))
  if (!invitation || link === undefined) return undefined
  const { name, role, actor } = invitation
  return {
    subject: `Join ${name}`,
    text: `Hello,\n\n${actor.replace(/^person:/, '')} invites you to act for the account ${name} as ${roleWords[role]}. Open this link to join:\n${link}\n\nIt works once, for three days. If you do not know them, do nothing.`,
  }
}

type Wording = (deps: WordingDeps, email: string, invitationId: string | null) => Promise<WordedMail | undefined>

const wordings = {
  sign_up: wordSignUp,
  forgot_password: wordForgotPassword,
  password_changed: wordPasswordChanged,
  invitation: wordInvitation,
} as const satisfies Record<PersonMailKind, Wording>

/** What a mail is about. */
export type MailToWord = { readonly kind: PersonMailKind; readonly email: string; readonly invitation_id: string | null }

/**
 * Composes a mail with the link it needs, which is made now and works from now on.
 * @returns undefined when nobody has this e-mail, so that there is nothing to send
 */
export async function wordPersonMail(
  deps: WordingDeps,
  { kind, email, invitation_id }: MailToWord,
): Promise<WordedMail | undefined> {
  const worded = await wordings[kind](deps, email, invitation_id)
  return worded && { subject: worded.subject, text: `${worded.text}${ending(deps.publicUrl)}` }
}
