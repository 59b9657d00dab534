import { hostname } from 'node:os'
import process from 'node:process'
import type { Logger } from 'pino'
import type { Config } from '../../config.ts'
import { raiseHistoryAlarm } from '../../orders/history/history-alarm.ts'
import type { Db } from '../../platform/database/database.ts'
import { createHistoryWatch, type HistoryWatch } from '../../platform/history/history-watch.ts'
import { openMarkFile } from '../../platform/history/mark-file.ts'

/** The watch of a process. Its `meet` belongs to every pool of the process, also to that of `db`. */
export function watchHistory(role: string, { dataDir }: Pick<Config, 'dataDir'>, db: Db, log: Logger): HistoryWatch {
  return createHistoryWatch({
    db,
    log,
    name: `${role} ${process.pid} on ${hostname()}`,
    file: openMarkFile(dataDir),
    raiseAlarm: (on, gap) => raiseHistoryAlarm(on, log, gap),
  })
}
