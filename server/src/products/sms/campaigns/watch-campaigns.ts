import { sql } from 'kysely'
import type { Db } from '../../../platform/database/database.ts'

export type CampaignWatch = {
  /** Resolves when the campaign has settled, or after this many milliseconds. */
  settled(campaignId: string, patienceMilliseconds: number): Promise<void>
}

/** Interval of the query for all campaigns that callers wait for. */
const pollMilliseconds = 50

/** Opens a watch that queries the database only while somebody waits, with one query for all. */
export function watchCampaigns(db: Db): CampaignWatch {
  const waiting = new Map<string, Set<() => void>>()
  let isPolling = false

  async function resolveSettled(): Promise<void> {
    const ids = [...waiting.keys()]
    const { rows } = await sql<{ id: string }>`
      select id from sms_campaigns where id = any(${ids}::uuid[]) and settled_at is not null`.execute(db)
    for (const { id } of rows) for (const resolve of waiting.get(id) ?? []) resolve()
  }

  async function pollWhileAnybodyWaits(): Promise<void> {
    isPolling = true
    while (waiting.size > 0) {
      // A failed query does no harm: the next one comes soon, and callers have a deadline.
      await resolveSettled().catch(() => undefined)
      await new Promise((resolve) => setTimeout(resolve, pollMilliseconds))
    }
    isPolling = false
  }

  return {
    settled: (campaignId, patienceMilliseconds) =>
      new Promise((resolve) => {
        const ofCampaign = waiting.get(campaignId) ?? new Set()
        waiting.set(campaignId, ofCampaign)
        const end = () => {
          clearTimeout(timer)
          ofCampaign.delete(end)
          if (ofCampaign.size === 0) waiting.delete(campaignId)
          resolve()
        }
        const timer = setTimeout(end, patienceMilliseconds)
        ofCampaign.add(end)
        if (!isPolling) void pollWhileAnybodyWaits()
      }),
  }
}
