import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'
import { liveMarkers, newestActions } from './live-markers.ts'
import { type LiveTopic, liveTopics, topicsOfAction } from './live-topics.ts'

/** For each topic a text that changes when the topic changes, the same in all processes. */
export type LiveMarks = Readonly<Record<LiveTopic, string>>

/** `marks` come from all markers, `early` only from those that can change before their transaction commits. */
export type ReadMarks = { readonly marks: LiveMarks; readonly early: LiveMarks }

const columns = sql.join(liveMarkers.map(({ read }) => sql`(${read})::text`))

const digestOf = (parts: readonly string[]) => createHash('sha256').update(parts.join('|')).digest('base64url').slice(0, 12)

/** Reads the marks of all topics in one statement. */
export async function readLiveMarks(db: Db): Promise<ReadMarks> {
  const { rows } = await sql<{ markers: (string | null)[]; actions: Record<string, string> | null }>`
    select array[${columns}] as markers, ${newestActions} as actions`.execute(db)
  const { markers = [], actions = {} } = rows[0] ?? {}
  const parts = new Map<LiveTopic, string[]>(liveTopics.map((topic) => [topic, []]))
  const earlyParts = new Map<LiveTopic, string[]>(liveTopics.map((topic) => [topic, []]))
  for (const [index, { topics, isEarly }] of liveMarkers.entries()) {
    for (const topic of topics) {
      parts.get(topic)?.push(`${index} ${markers[index]}`)
      if (isEarly) earlyParts.get(topic)?.push(`${index} ${markers[index]}`)
    }
  }
  for (const [word, ids] of Object.entries(actions ?? {})) {
    for (const topic of topicsOfAction(word)) parts.get(topic)?.push(`${word} ${ids}`)
  }
  const digests = (all: typeof parts) =>
    Object.fromEntries(liveTopics.map((topic) => [topic, digestOf((all.get(topic) ?? []).toSorted())])) as LiveMarks
  return { marks: digests(parts), early: digests(earlyParts) }
}
