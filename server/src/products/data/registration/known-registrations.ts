import { sql } from 'kysely'
import { anyOf } from '../../../platform/database/any-of.ts'
import { combineReads } from '../../../platform/database/combine-reads.ts'
import type { Db } from '../../../platform/database/database.ts'
import type { RegistrationMemory, StoredYes } from './registration-memory.ts'
import type { ServerNo } from './registration-servers.ts'

/**
 * How long a yes is trusted. Other answers are never taken from memory: each purchase asks again (decision N6: when a
 * number is asked about).
 */
const registeredDays = 30

/** What is known without asking a server. It may hold more numbers and references than were asked for. */
export type Known = {
  /** References that have an order already. Only ever grows, so "taken" stays true. */
  readonly takenReferences: ReadonlySet<string>
  /** The servers that said yes about a number. */
  readonly registeredOn: ReadonlyMap<string, ReadonlySet<ServerNo>>
}

/** The numbers whose stored registrations are asked for, and the references of which it is asked whether they are taken. */
export type KnownQuestion = { readonly numbers: readonly string[]; readonly references: readonly string[] }

type KnownRow = { reference: string | null; number: string | null; server: ServerNo | null; seconds_left: number | null }

async function readKnown(db: Db, { numbers, references }: KnownQuestion) {
  const { rows } = await sql<KnownRow>`
    select null as reference, number, server,
      extract(epoch from checked_at + make_interval(days => ${registeredDays}) - clock_timestamp())::float8 as seconds_left
    from registrations
    where number = ${anyOf('text', numbers)} and state = 'registered'
      and checked_at > clock_timestamp() - make_interval(days => ${registeredDays})
    union all
    select reference, null, null, null from order_references where reference = ${anyOf('text', references)}`.execute(db)
  const yes = rows.flatMap(({ number, server, seconds_left: secondsLeft }): StoredYes[] =>
    number === null || server === null || secondsLeft === null ? [] : [{ number, server, secondsLeft }],
  )
  return { yes, takenReferences: new Set(rows.flatMap(({ reference }) => reference ?? [])) }
}

function groupByNumber(yes: readonly StoredYes[]): Known['registeredOn'] {
  const registeredOn = new Map<string, Set<ServerNo>>()
  for (const { number, server } of yes) {
    registeredOn.set(number, (registeredOn.get(number) ?? new Set<ServerNo>()).add(server))
  }
  return registeredOn
}

/**
 * Answers questions about stored registrations and references, and has the memory take the registrations in. Questions
 * that come at the same time share one statement.
 */
export function createKnownRegistrations(db: Db, memory: RegistrationMemory): (question: KnownQuestion) => Promise<Known> {
  return combineReads(async (questions: readonly KnownQuestion[]) => {
    const numbers = [...new Set(questions.flatMap((question) => question.numbers))]
    const references = [...new Set(questions.flatMap((question) => question.references))]
    const remember = memory.beginRead()
    const { yes, takenReferences } = await readKnown(db, { numbers, references })
    remember(yes)
    const known = { takenReferences, registeredOn: groupByNumber(yes) }
    return () => known
  })
}

/** Deletes what is too old to be believed: nobody reads it any more. */
export async function purgeRegistrations(db: Db): Promise<void> {
  await sql`
    delete from registrations
    where checked_at < now() - make_interval(days => ${registeredDays})`.execute(db)
}
