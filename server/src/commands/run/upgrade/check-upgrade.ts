import type { Config } from '../../../config.ts'
import { connectAsApplication, openDatabase } from '../../frame/open-database.ts'
import { refuseWithoutDatabase } from '../../frame/with-database.ts'
import { forecastUpgrade, type UpgradeForecast } from './forecast-upgrade.ts'
import type { ReleaseNeeds } from './release-needs.ts'

const silentLog = { info: () => undefined, warn: () => undefined }

/**
 * Forecasts an upgrade of this installation, whose schema may be that of any version.
 * @throws CommandError when there is no database yet
 */
export async function checkUpgrade(config: Config, needs: ReleaseNeeds): Promise<UpgradeForecast> {
  await refuseWithoutDatabase(config)
  const database = await openDatabase(config, silentLog)
  const db = connectAsApplication(database.applicationUrl, { poolSize: 4, applicationName: 'makola upgrade' })
  try {
    return await forecastUpgrade(db, database.applicationUrl, needs)
  } finally {
    await db.destroy()
    await database.stop()
  }
}
