import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../database/database.ts'
import type { SecretsKeys } from '../secrets/secrets-keys.ts'

/** A person whose data is looked for, known by a number: of a phone, a meter or a smartcard; or by an e-mail address. */
export type WantedPerson = {
  /** All forms in which rows may hold the number as a whole. */
  readonly forms: readonly string[]
  /** The forms in which forgotten rows hold the number, and its hash in those rows. */
  readonly maskedForms: readonly string[]
  readonly hash: Buffer
  /** The part that all forms have in common: the last nine digits of a phone. */
  readonly part: string
}

/** A row in which the number occurs: its key, its reference, and its other columns. */
export type PersonalRow = { readonly id: string; readonly reference?: string } & Readonly<Record<string, unknown>>

export type SourceDeps = { readonly db: Db; readonly secretsKeys: SecretsKeys }

/** A table with personal data: how a person's rows are found and erased. */
export type PersonalSource = {
  readonly table: string
  readonly title: string
  find(deps: SourceDeps, person: WantedPerson): Promise<readonly PersonalRow[]>
  /**
   * Erases some of the rows, in one transaction, and returns the ids of those that it erased. Left out: all are kept.
   * @param erasure the erasure that two people agreed to
   */
  readonly erase?: (tx: Tx, rows: readonly PersonalRow[], person: WantedPerson, erasure: string) => Promise<readonly string[]>
  /** Why `erase` keeps some rows. Left out: it keeps none, or they are erased with another source. */
  readonly keptBecause?: string
}

const rowsPerPiece = 2_000

/** The condition that a text contains the part that all forms of the number have in common. */
export const holds = (text: RawBuilder<unknown>, { part }: WantedPerson) =>
  sql<boolean>`strpos(lower(${text}), lower(${part})) > 0`

/**
 * Searches a table, or only its rows `within`, in the order of their ids, with one short statement for every `rowsPerPiece` rows.
 * @param columns what is read of a row that fits, with its key as `id`
 */
export async function scanTable(
  db: Db,
  {
    table,
    columns,
    where,
    within = sql`true`,
    idType = 'uuid',
  }: {
    readonly table: string
    readonly columns: RawBuilder<unknown>
    readonly where: RawBuilder<unknown>
    /** A condition by which an index finds the rows to look at. */
    readonly within?: RawBuilder<unknown>
    readonly idType?: 'uuid' | 'bigint'
  },
): Promise<PersonalRow[]> {
  const found: PersonalRow[] = []
  const type = sql.raw(idType)
  let after = idType === 'uuid' ? '00000000-0000-0000-0000-000000000000' : '0'
  for (;;) {
    const { rows } = await sql<{ last: string | null; seen: number; hits: PersonalRow[] }>`
      with piece as materialized (
        select * from ${sql.table(table)} where id > ${after}::${type} and ${within} order by id limit ${rowsPerPiece}
      )
      select (select id::text from piece order by id desc limit 1) as last, (select count(*) from piece) as seen,
        coalesce((select json_agg(hit) from (select ${columns} from piece as ${sql.table(table)} where ${where}) as hit), '[]') as hits`.execute(
      db,
    )
    const [piece] = rows
    found.push(...(piece?.hits ?? []))
    if (!piece || piece.last === null || piece.seen < rowsPerPiece) return found
    after = piece.last
  }
}
