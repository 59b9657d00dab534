import type { Config } from '../../config.ts'
import type { Db } from '../../platform/database/database.ts'
import { isLiveDatabase } from '../../platform/database/stamp-mode.ts'
import { CommandError } from './command-error.ts'

/**
 * Where money is real, a command typed or scripted twice must not move it twice.
 *
 * @throws CommandError when the installation is live and no id was given
 */
export async function checkExternalId(db: Db, config: Pick<Config, 'suppliers'>, id: string | undefined): Promise<void> {
  if (id !== undefined) return
  if (config.suppliers !== 'live' && !(await isLiveDatabase(db))) return
  throw new CommandError('This installation is live: give this an id of its own with --id, such as the number of a receipt.')
}
