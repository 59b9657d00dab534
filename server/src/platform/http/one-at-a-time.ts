import type { Db } from '../database/database.ts'
import { lockNamed, runAlone } from '../database/run-alone.ts'
import { RefusalError, refuse } from './refusals.ts'

/** Somebody else does the same heavy work at this moment. Nothing was begun. */
export const atWorkAlready = refuse(
  409,
  'at_work_already',
  'Somebody is doing this at the moment, and it is done for one at a time. Try again when that has ended.',
)

/**
 * Does heavy work for one request at a time, whichever process serves the request. A second request is refused at once,
 * because one that waited would hold a connection of the database meanwhile.
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
