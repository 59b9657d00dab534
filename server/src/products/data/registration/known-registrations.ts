import { sql } from 'kysely'
import { anyOf } from '../../../platform/database/any-of.ts'
import { combineReads } from '../../../platform/database/combine-reads.ts'
import type { Db } from '../../../platform/database/database.ts'
import type { RegistrationMemory, StoredRegistration } from './registration-memory.ts'
import type { ServerNo } from './registration-servers.ts'

/**
 * Days for which a stored `registered` is trusted. Other answers are never stored, so each purchase asks again (decision N6: when
 * a number is asked about).
 */
const registeredDays = 30

/** Facts from the database. May contain more numbers and references than the question. */
export type RegistrationFacts = {
  /** References that have an order already. An order keeps its reference for ever. */
  readonly takenReferences: ReadonlySet<string>
  /** For each number, the servers that have registered it. */
  readonly registeredOn: ReadonlyMap<string, ReadonlySet<ServerNo>>
}

/** Numbers whose stored registrations are wanted, and references that may have an order already. */
export type RegistrationFactsQuery = { readonly numbers: readonly string[]; readonly references: readonly string[] }

type RegistrationFactsRow = {
  reference: string | null
  number: string | null
  server: ServerNo | null
  seconds_left: number | null
}

async function readRegistrationFacts(db: Db, { numbers, references }: RegistrationFactsQuery) {
  const { rows } = await sql<RegistrationFactsRow>`
    select null as reference, number, server,
      extract(epoch from checked_at + make_interval(days => ${registeredDays}) - clock_timestamp())::float8 as seconds_left
    from registrations
    where number = ${anyOf('text', numbers)} and state = 'registered'
      and checked_at > clock_timestamp() - make_interval(days => ${registeredDays})
    union all
    select reference, null, null, null from order_references where reference = ${anyOf('text', references)}`.execute(db)
  const yes = rows.flatMap(({ number, server, seconds_left: secondsLeft }): StoredRegistration[] =>
    number === null || server === null || secondsLeft === null ? [] : [{ number, server, secondsLeft }],
  )
  return { yes, takenReferences: new Set(rows.flatMap(({ reference }) => reference ?? [])) }
}

function groupByNumber(yes: readonly StoredRegistration[]): RegistrationFacts['registeredOn'] {
  const registeredOn = new Map<string, Set<ServerNo>>()
  for (const { number, server } of yes) {
    registeredOn.set(number, (registeredOn.get(number) ?? new Set<ServerNo>()).add(server))
  }
  return registeredOn
}

/**
 * Reads stored registrations and references, and adds the registrations to the memory. Questions at the same time share one
 * statement.
 */
export function createKnownRegistrations(
  db: Db,
  memory: RegistrationMemory,
): (question: RegistrationFactsQuery) => Promise<RegistrationFacts> {
  return combineReads(async (questions: readonly RegistrationFactsQuery[]) => {
    const numbers = [...new Set(questions.flatMap((question) => question.numbers))]
    const references = [...new Set(questions.flatMap((question) => question.references))]
    const remember = memory.beginRead()
    const { yes, takenReferences } = await readRegistrationFacts(db, { numbers, references })
    remember(yes)
    const known = { takenReferences, registeredOn: groupByNumber(yes) }
    return () => known
  })
}

/** Deletes registrations that are too old to be trusted. */
export async function purgeRegistrations(db: Db): Promise<void> {
  await sql`
    delete from registrations
    where checked_at < now() - make_interval(days => ${registeredDays})`.execute(db)
}
