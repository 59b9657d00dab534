import { sql } from 'kysely'
import type { Db } from '../../../platform/database/database.ts'
import type { ServerState } from './combine-states.ts'
import type { ServerNo } from './registration-servers.ts'

/** A yes is believed this long, any other answer this long (decisions N6). */
export const registeredDays = 30
export const unregisteredMinutes = 10

/** What is known without asking anybody. It may tell of more numbers and references than one asked for. */
export type Known = {
  /** References that have an order already. Only ever grows, so "taken" stays true. */
  readonly takenReferences: ReadonlySet<string>
  readonly states: ReadonlyMap<string, ReadonlyMap<ServerNo, ServerState>>
}

/** What somebody wants to know. */
export type KnownQuestion = { readonly numbers: readonly string[]; readonly references: readonly string[] }

type KnownRow = { reference: string | null; number: string | null; server: ServerNo | null; state: ServerState | null }

async function readKnown(db: Db, { numbers, references }: KnownQuestion): Promise<Known> {
  const { rows } = await sql<KnownRow>`
    select null as reference, number, server, state from registrations
    where number = any(${numbers}::text[])
      and checked_at > clock_timestamp() - case when state = 'registered'
        then make_interval(days => ${registeredDays}) else make_interval(mins => ${unregisteredMinutes}) end
    union all
    select reference, null, null, null from order_references where reference = any(${references}::text[])`.execute(db)
  const states = new Map<string, Map<ServerNo, ServerState>>()
  for (const { number, server, state } of rows) {
    if (number === null || server === null || state === null) continue
    states.set(number, (states.get(number) ?? new Map<ServerNo, ServerState>()).set(server, state))
  }
  return { takenReferences: new Set(rows.flatMap(({ reference }) => reference ?? [])), states }
}

/** Questions answered by one statement at most. */
const questionsMax = 256

type Waiting = { question: KnownQuestion; resolve: (known: Known) => void; reject: (error: unknown) => void }

/**
 * Answers questions about the registrations and references at hand. One statement is under way at a time;
 * the questions that come meanwhile share the next one, so that busy hours cost few statements.
 */
export function openKnownRegistrations(db: Db): (question: KnownQuestion) => Promise<Known> {
  let waiting: Waiting[] = []
  let isReading = false

  async function answerAll(): Promise<void> {
    isReading = true
    while (waiting.length > 0) {
      const batch = waiting.slice(0, questionsMax)
      waiting = waiting.slice(questionsMax)
      const numbers = [...new Set(batch.flatMap(({ question }) => question.numbers))]
      const references = [...new Set(batch.flatMap(({ question }) => question.references))]
      try {
        const known = await readKnown(db, { numbers, references })
        for (const { resolve } of batch) resolve(known)
      } catch (error) {
        for (const { reject } of batch) reject(error)
      }
    }
    isReading = false
  }

  return (question) =>
    new Promise((resolve, reject) => {
      waiting.push({ question, resolve, reject })
      if (!isReading) void answerAll()
    })
}
