import { sql } from 'kysely'
import type { Db } from '../../../platform/database/database.ts'

/** Waits for campaigns to settle. */
export type CampaignWatch = {
  /** Resolves when the campaign has settled, or after so many milliseconds. */
  settled(campaignId: string, patienceMilliseconds: number): Promise<void>
}

/** How often the campaigns that callers wait for are looked at, all in one query. */
const lookMilliseconds = 50

/** Opens a watch that asks the database only while somebody waits, and once for all who do. */
export function watchCampaigns(db: Db): CampaignWatch {
  const waiting = new Map<string, Set<() => void>>()
  let isLooking = false

  async function look(): Promise<void> {
    const ids = [...waiting.keys()]
    const { rows } = await sql<{ id: string }>`
      select id from sms_campaigns where id = any(${ids}::uuid[]) and settled_at is not null`.execute(db)
    for (const { id } of rows) for (const resolve of waiting.get(id) ?? []) resolve()
  }

  async function lookWhileAnybodyWaits(): Promise<void> {
    isLooking = true
    while (waiting.size > 0) {
      // A failed look does no harm: the next one comes soon, and callers have a deadline.
      await look().catch(() => undefined)
      await new Promise((resolve) => setTimeout(resolve, lookMilliseconds))
    }
    isLooking = false
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
        if (!isLooking) void lookWhileAnybodyWaits()
      }),
  }
}
