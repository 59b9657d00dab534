import type { Config } from '../../config.ts'
import type { Db } from '../../platform/database/database.ts'
import { isLiveDatabase } from '../../platform/database/stamp-mode.ts'
import { CommandError } from './command-error.ts'

/**
 * Requires an id for movements of real money, so that a command that runs twice moves the money once.
 * @throws CommandError when the installation is live and no id was given
 */
export async function checkExternalId(db: Db, config: Pick<Config, 'suppliers'>, id: string | undefined): Promise<void> {
  if (id !== undefined) return
  if (config.suppliers !== 'live' && !(await isLiveDatabase(db))) return
  throw new CommandError('This installation is live: give this an id of its own with --id, such as the number of a receipt.')
}
