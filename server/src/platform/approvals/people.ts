import type { Tx } from '../database/database.ts'
import { isLiveDatabase } from '../database/stamp-mode.ts'
import { defineSwitch } from '../settings/setting-schemas.ts'
import { readSetting } from '../settings/settings.ts'

/** A person as a command knows them: the name that was typed, and the user of the operating system who typed it. */
export type Person = { readonly by: string; readonly osUser: string }

/** For an operator who works alone: two-person actions then only ask twice. */
export const singleOperator = defineSwitch(
  'single_operator',
  false,
  'Whether one user of the operating system may both propose and confirm, under two names. With the simulator anybody may.',
)

const plain = (name: string) =>
  name.normalize('NFKC').replaceAll(/\p{C}/gu, '').replaceAll(/\s+/g, ' ').trim().replace(/^cli:/i, '').toLowerCase()

/** However a name is written, it is one person: nobody confirms their own word by a capital letter or a blank. */
export function isSamePerson(one: string, other: string): boolean {
  return plain(one) === plain(other)
}

/**
 * Why these two cannot sign together, or undefined. Where money is real, two names typed by one user of the operating
 * system are one person until `single_operator` says otherwise. Proposals from before the user was kept have none.
 */
export async function refuseOneUser(tx: Tx, first: { osUser: string | null }, second: Person): Promise<string | undefined> {
  if (first.osUser === null || first.osUser !== second.osUser) return undefined
  if (!(await isLiveDatabase(tx)) || (await readSetting(tx, singleOperator))) return undefined
  return (
    `${second.osUser} typed both names on this machine, and this installation is live: a second person confirms it as ` +
    `their own user. Whoever works alone sets \`single_operator\` to true.`
  )
}
