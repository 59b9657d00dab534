import { sql } from 'kysely'
import type { Db } from '../platform/database/database.ts'
import type { Metrics } from '../platform/metrics/open-metrics.ts'

export function measureAlarms(metrics: Metrics, db: Db): () => Promise<void> {
  const open = metrics.gauge('makola_open_alarms', 'Alarms that stand: `makola alert list`.', ['name'])
  return async () => {
    const { rows } = await sql<{ name: string; count: number }>`
      select name, count(*)::integer as count from alarms where cleared_at is null group by name`.execute(db)
    open.reset()
    for (const { name, count } of rows) open.set({ name }, count)
  }
}
