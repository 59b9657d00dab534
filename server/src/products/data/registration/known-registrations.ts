import { sql } from 'kysely'
import { combineReads } from '../../../platform/database/combine-reads.ts'
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

/** Answers questions about the registrations and references at hand; those that come together share a statement. */
export function openKnownRegistrations(db: Db): (question: KnownQuestion) => Promise<Known> {
  return combineReads(async (questions: readonly KnownQuestion[]) => {
    const numbers = [...new Set(questions.flatMap((question) => question.numbers))]
    const references = [...new Set(questions.flatMap((question) => question.references))]
    const known = await readKnown(db, { numbers, references })
    return () => known
  })
}
