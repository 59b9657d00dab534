import type { Db } from '../database/database.ts'
import { lockNamed, runAlone } from '../database/run-alone.ts'
import { RefusalError, refuse } from './refusals.ts'

/** Another request is doing the same heavy work. Nothing was begun. */
export const atWorkAlready = refuse(
  409,
  'at_work_already',
  'Somebody is doing this at the moment, and it is done for one at a time. Try again when that has ended.',
)

/**
 * Does heavy work for one request at a time over all processes. A second request is refused at once, because a waiting one
 * would hold a connection of the database.
 *
 * @throws RefusalError 409 while another request has the same work done
 */
export async function oneAtATime<T>(db: Db, name: string, work: () => Promise<T>): Promise<T> {
  const done: T[] = []
  let isOurs = false
  await runAlone(db, lockNamed(`makola one at a time: ${name}`), async () => {
    isOurs = true
    done.push(await work())
  })
  if (!isOurs) throw new RefusalError(atWorkAlready)
  return done[0] as T
}
