import process from 'node:process'
import { type Config, readConfig } from '../../config.ts'
import { describeLoosening } from '../../guards/loosening.ts'
import { passwordLength } from '../../people/auth/auth-limits.ts'
import { hashPersonPassword } from '../../people/auth/hash-password.ts'
import { prepareAuth } from '../../people/auth/open-auth.ts'
import { makePasswordLink } from '../../people/mails/make-link.ts'
import { createMember, type Invitation, type InvitedPerson } from '../../people/manage-people.ts'
import { memberRoles } from '../../people/permissions/member-permissions.ts'
import { staffRoles } from '../../people/permissions/staff-permissions.ts'
import { addStaff } from '../../people/staff/grant-role.ts'
import type { Tx } from '../../platform/database/database.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { UsageError } from '../frame/command-error.ts'
import { operatorName, personOf } from '../frame/operator-name.ts'
import { printResult } from '../frame/print-result.ts'
import { readChoice } from '../frame/read-options.ts'
import { withDatabaseAndKeys } from '../frame/with-database.ts'

/** Long, because the operator hands the link on by hand. */
const setUpLinkHours = 72

/** Reads the password from the standard input, without the end of its line. */
async function readPasswordFromInput(): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk as Buffer))
  const password = Buffer.concat(chunks)
    .toString('utf8')
    .replace(/\r?\n$/, '')
  if (password.length < passwordLength.min || password.length > passwordLength.max) {
    throw new UsageError(`The password must have ${passwordLength.min} to ${passwordLength.max} characters.`)
  }
  return password
}

type InvitationOptions = { readonly email: string; readonly passwordStdin?: true }

/**
 * Invites a person and prints the result, with a link to set a password where none is set.
 * @param page the page that the link opens
 * @param invite makes the person a member or staff; runs in one transaction with the operator's log
 */
async function runInvitation(
  options: InvitationOptions,
  page: string,
  invite: (tx: Tx, invitation: Invitation) => Promise<InvitedPerson & { readonly approvalId?: string }>,
): Promise<void> {
  const config: Config = readConfig()
  const password = options.passwordStdin ? await readPasswordFromInput() : undefined
  const { person, link } = await withDatabaseAndKeys(config, async (db, secretsKeys) => {
    const passwordHash = password === undefined ? undefined : await hashPersonPassword(password)
    const invitation = { email: options.email, passwordHash, actor: operatorName() }
    const invited = await inTransaction(db, (tx) => invite(tx, invitation))
    if (invited.isPasswordSet) return { person: invited, link: undefined }
    const { publicUrl } = config
    const openAuth = prepareAuth({ db, secretsKeys, publicUrl })
    return {
      person: invited,
      link: await makePasswordLink({ openAuth, publicUrl }, invited.email, { hours: setUpLinkHours, page }),
    }
  })
  const next = link === undefined ? 'It signs in with its password.' : `It sets a password here, within three days:\n${link}`
  const waits =
    person.approvalId === undefined
      ? ''
      : `\nUntil the role is confirmed the person only looks. ${describeLoosening(person.approvalId)}`
  printResult(
    {
      person_id: person.personId,
      email: person.email,
      ...(link !== undefined && { set_up_link: link }),
      ...(person.approvalId !== undefined && { approval_id: person.approvalId, status: 'pending' }),
    },
    `${person.email} was let in. ${next}${waits}`,
  )
}

export type NewMemberOptions = InvitationOptions & { readonly account: string; readonly role: string }
export type NewStaffOptions = InvitationOptions & { readonly role: string; readonly by?: string }

export async function runMemberCreate(options: NewMemberOptions): Promise<void> {
  const role = readChoice('--role', options.role, memberRoles)
  const { account } = options
  await runInvitation(options, '/app/set-password', (tx, invitation) => createMember(tx, { ...invitation, account, role }))
}

export async function runStaffCreate(options: NewStaffOptions): Promise<void> {
  const role = readChoice('--role', options.role, staffRoles)
  await runInvitation(options, '/desk/set-password', async (tx, { actor: _actor, ...invitation }) => {
    const { granted, ...invited } = await addStaff(tx, { ...invitation, role, person: personOf(options.by) })
    return granted.state === 'done' ? invited : { ...invited, approvalId: granted.approvalId }
  })
}
