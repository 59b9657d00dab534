import type { Db } from '../../platform/database/database.ts'
import { isLiveDatabase } from '../../platform/database/stamp-mode.ts'
import { OperatorRequestError } from '../../platform/operator-request-error.ts'

/**
 * Requires an id for movements of real money, so that a command that runs twice moves the money once.
 * @throws OperatorRequestError when the installation is live and no id was given
 */
export async function needExternalId({ db, isLive }: { readonly db: Db; readonly isLive: boolean }, id: string | undefined) {
  if (id !== undefined || !(isLive || (await isLiveDatabase(db)))) return
  throw new OperatorRequestError(
    'This installation is live: give this an id of its own with --id, such as the number of a receipt.',
  )
}
