import type { Db } from '../database/database.ts'
import type { SecretsKeys } from '../secrets/secrets-keys.ts'

/** The text of a search, together with what it may mean. */
export type Wanted = {
  /** The text as somebody typed it, without the space around it. */
  readonly text: string
  /** The text as an id of ours, in small letters; undefined when it has another shape. */
  readonly id: string | undefined
  /** The text as a phone number: 10 digits starting with 0; undefined when it is none. */
  readonly phoneNumber: string | undefined
  /** The text as an amount of money: pesewas, above 0; undefined when it is none. */
  readonly amountPesewas: number | undefined
  /** The forms in which an order may hold this text as its recipient. */
  readonly recipients: readonly string[]
}

/** A thing that was found. */
export type Match = {
  /** The kind of the thing that was found, in one or two words. */
  readonly type: string
  readonly id: string
  /** A sentence for people that says what was found. It holds no secret. */
  readonly text: string
  /** The command to type next. */
  readonly next: string
  /** The place at the desk that shows it, such as `/orders/…`. */
  readonly path: string
}

export type FinderDeps = { readonly db: Db; readonly secretsKeys: SecretsKeys }

/** Finds one kind of thing. It stands beside the tables of its things, and an index serves each of its statements. */
export type Finder = {
  /** The things that this finder finds, in the plural: `orders`. */
  readonly finds: string
  /** Finds what fits, at most so many: the newest, where there are more. */
  readonly find: (deps: FinderDeps, wanted: Wanted, limit: number) => Promise<Match[]>
  /** The command that lists all matches, if there is one. */
  readonly listAll?: (wanted: Wanted) => string
}

/** Matches of each kind that are shown. */
export const matchesMax = 10

/** The results of a search, and the kinds of which there are more than are shown. */
export type FoundThings = {
  readonly matches: readonly Match[]
  /** `next` is the command that lists all; null where there is none. */
  readonly more: readonly { readonly things: string; readonly next: string | null }[]
}

/** Asks every finder. */
export async function findEverywhere(deps: FinderDeps, finders: readonly Finder[], wanted: Wanted): Promise<FoundThings> {
  // One result more than is shown is asked for, to learn whether there are more.
  const found = await Promise.all(finders.map((finder) => finder.find(deps, wanted, matchesMax + 1)))
  return {
    matches: found.flatMap((matches) => matches.slice(0, matchesMax)),
    more: finders
      .filter((_, index) => (found[index]?.length ?? 0) > matchesMax)
      .map(({ finds, listAll }) => ({ things: finds, next: listAll?.(wanted) ?? null })),
  }
}

/** A word of a command, in quotes if a shell needs them. */
export function wordOf(text: string): string {
  return /^[\w@%+:,./][\w@%+:,./-]*$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}
