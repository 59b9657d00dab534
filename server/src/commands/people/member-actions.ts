import { readConfig } from '../../config.ts'
import { createMember, listMembers, removeMember, setMemberRole } from '../../people/manage-people.ts'
import type { MemberRole } from '../../people/permissions/member-permissions.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { operatorName } from '../frame/operator-name.ts'
import { printResult } from '../frame/print-result.ts'
import { readChoice } from '../frame/read-options.ts'
import { withDatabase } from '../frame/with-database.ts'
import { type InvitationOptions, printPersons, runInvitation } from './invite-person.ts'

export type NewMemberOptions = InvitationOptions & { readonly account: string; readonly role: string }
export type RemoveMemberOptions = { readonly account: string; readonly email: string }

const roles: readonly MemberRole[] = ['owner', 'buyer', 'viewer']

export async function runMemberCreate(options: NewMemberOptions): Promise<void> {
  const role = readChoice('--role', options.role, roles)
  const { account } = options
  await runInvitation(options, '/app/set-password', (tx, invitation) => createMember(tx, { ...invitation, account, role }))
}

export async function runMemberSetRole(options: RemoveMemberOptions & { readonly role: string }): Promise<void> {
  const role = readChoice('--role', options.role, roles)
  const { account, email } = options
  const changed = await withDatabase(readConfig(), (db) =>
    inTransaction(db, (tx) => setMemberRole(tx, { account, email, role, actor: operatorName() })),
  )
  printResult({ person_id: changed.personId, email: changed.email, role }, `${changed.email} is ${role} now.`)
}

export async function runMemberList(account: string): Promise<void> {
  const members = await withDatabase(readConfig(), (db) => listMembers(db, account))
  printPersons(members, 'Nobody signs in with a browser for this account.')
}

export async function runMemberRemove({ account, email }: RemoveMemberOptions): Promise<void> {
  const removed = await withDatabase(readConfig(), (db) =>
    inTransaction(db, (tx) => removeMember(tx, { account, email, actor: operatorName() })),
  )
  printResult({ person_id: removed.personId, email: removed.email }, `${removed.email} is not a member any more.`)
}
