import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../database/database.ts'
import { isLiveDatabase } from '../database/stamp-mode.ts'
import { defineSwitch } from '../settings/setting-schemas.ts'
import { readSetting, type Setting } from '../settings/settings.ts'
import type { ApprovalKind } from './approval-kind.ts'

/**
 * A person who proposes or confirms. On the command line: the typed name, and the user of the operating system. At the
 * desk: the e-mail, `deskUser` of it, and `personId`, which stays when the e-mail changes.
 */
export type Person = {
  readonly by: string
  readonly osUser: string
  readonly personId?: string
  /** True when root named the user in SUDO_USER. Nothing proves that name. */
  readonly isUserNamed?: boolean
}

/** True: one person may confirm their own proposal under a second name. For an operator who works alone. */
export const singleOperator: Setting<boolean> = {
  ...defineSwitch(
    'single_operator',
    false,
    'Whether one user of the operating system may both propose and confirm, under two names. With the simulator anybody may.',
  ),
  loosens: (before, after) => after && !before,
}

const plain = (name: string) =>
  name.normalize('NFKC').replaceAll(/\p{C}/gu, '').replaceAll(/\s+/g, ' ').trim().replace(/^cli:/i, '').toLowerCase()

/** The part of an e-mail before the @; any other name whole. */
const shortName = (name: string) => name.replace(/@.*$/, '')

/**
 * True when two names mean one person. Capital letters and extra spaces make no difference, so nobody can confirm their own
 * proposal by writing their name in another way. At the desk people are known by their e-mails, on the command line by names: a
 * name counts as the person whose e-mail begins with it. Two different e-mails are two persons.
 */
export function isSamePerson(one: string, other: string): boolean {
  const [first, second] = [plain(one), plain(other)]
  if (first === second) return true
  return first.includes('@') !== second.includes('@') && shortName(first) === shortName(second)
}

export function isProposer(
  row: { readonly proposed_by: string; readonly proposed_person_id: string | null },
  { by, personId }: Pick<Person, 'by' | 'personId'>,
): boolean {
  return isSamePerson(row.proposed_by, by) || (personId !== undefined && row.proposed_person_id === personId)
}

/** The value of `osUser` for a person at the desk. */
export const deskUser = (email: string): string => `desk:${email}`

export const isDeskUser = (osUser: string): boolean => osUser.startsWith(deskUser(''))

/** True when one of two users signed in at the desk, and the other is a user of the operating system. */
const isMixedPair = (first: string, second: string): boolean => isDeskUser(first) !== isDeskUser(second)

/** True when both users may be one person: they are equal or a mixed pair. */
export function mayBeOneUser(first: string, second: string): boolean {
  return first === second || isMixedPair(first, second)
}

/** True when one user of the operating system counts as one person, whatever names that user types. */
export async function isUserOnePerson(tx: Tx): Promise<boolean> {
  return (await isLiveDatabase(tx)) && !(await readSetting(tx, singleOperator))
}

/**
 * The reason why these two people cannot act as two, or undefined. With real money, two names typed by the same user of the
 * operating system count as one person, unless `single_operator` is on. So do a sign-in at the desk and a user of the
 * operating system, because one person may have both. For a kind that loosens a guard, `single_operator` makes no difference.
 * Old proposals have no user and are not compared.
 */
export async function refuseOneUser(
  tx: Tx,
  first: { osUser: string | null },
  second: Person,
  { isLoosening, waitHours }: Pick<ApprovalKind, 'isLoosening' | 'waitHours'>,
): Promise<string | undefined> {
  if (first.osUser === null) return undefined
  if (!mayBeOneUser(first.osUser, second.osUser)) return undefined
  const isOnePerson = isLoosening ? await isLiveDatabase(tx) : await isUserOnePerson(tx)
  if (!isOnePerson) return undefined
  if (isMixedPair(first.osUser, second.osUser)) {
    return 'One of the two words was given at the desk and the other on the command line, where nobody signs in: both are given at the desk, or both on the command line.'
  }
  const hours = waitHours ? await readSetting(tx, waitHours) : 24
  return (
    `${second.osUser} typed both names on this machine, and this installation is live: a second person confirms it as ` +
    (isLoosening
      ? `their own user. Where there is nobody else, it takes effect by itself ${hours} hours after the owners were told.`
      : `their own user. Whoever works alone sets \`single_operator\` to true before the first money moves.`)
  )
}

/**
 * The condition on `approvals` that two people agreed on a proposal of one of these kinds. Two people have two names, and
 * two ids where both were at the desk.
 */
export function isAgreed(...kinds: readonly string[]): RawBuilder<unknown> {
  return sql`state = 'done' and kind = any(${kinds}::text[]) and lower(decided_by) <> lower(proposed_by)
    and coalesce(decided_person_id <> proposed_person_id, true)`
}
