import type { Db } from '../database/database.ts'
import type { SecretsKeys } from '../secrets/secrets-keys.ts'

/** The text of a search, with its possible meanings. */
export type SearchText = {
  /** The typed text without the space around it. */
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

export type Match = {
  /** The kind of the result, in one or two words. */
  readonly type: string
  readonly id: string
  /** A sentence for people about the result. It holds no secret. */
  readonly text: string
  /** The command to type next. */
  readonly next: string
  /** The address at the desk, such as `/orders/…`. */
  readonly path: string
}

export type FinderDeps = { readonly db: Db; readonly secretsKeys: SecretsKeys }

/** Finds one kind of thing. An index must serve each of its statements. */
export type Finder = {
  /** Plural noun of the things that it finds, such as `orders`. */
  readonly finds: string
  /** Finds at most `limit` matches, the newest first. */
  readonly find: (deps: FinderDeps, wanted: SearchText, limit: number) => Promise<Match[]>
  /** The command that lists all matches, if there is one. */
  readonly listAll?: (wanted: SearchText) => string
}

/** The most matches of each kind that are shown. */
export const matchesMax = 10

/** `more` are the kinds with more matches than are shown. */
export type SearchResults = {
  readonly matches: readonly Match[]
  /** `next` is the command that lists all; null where there is none. */
  readonly more: readonly { readonly things: string; readonly next: string | null }[]
}

export async function findEverywhere(deps: FinderDeps, finders: readonly Finder[], wanted: SearchText): Promise<SearchResults> {
  // One result more than is shown, to learn whether there are more.
  const found = await Promise.all(finders.map((finder) => finder.find(deps, wanted, matchesMax + 1)))
  return {
    matches: found.flatMap((matches) => matches.slice(0, matchesMax)),
    more: finders
      .filter((_, index) => (found[index]?.length ?? 0) > matchesMax)
      .map(({ finds, listAll }) => ({ things: finds, next: listAll?.(wanted) ?? null })),
  }
}

/** A word of a command, in quotes if a shell needs them. */
export function quoteForShell(text: string): string {
  return /^[\w@%+:,./][\w@%+:,./-]*$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}
