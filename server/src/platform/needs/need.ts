import type { RawBuilder } from 'kysely'

/** Who looks at what needs somebody. */
export type NeedAsker = {
  /** The name under which the person proposes and confirms. */
  readonly by: string
  /** The kinds of proposals that the person may confirm. */
  readonly mayConfirm: readonly string[]
}

/** One thing that waits, in a sentence for people, and the place of the desk where it is done. */
export type NeedLine = { readonly text: string; readonly path: string }

/** A row of a need's select. `at`: since when it waits; null where that is not known. */
export type WaitingThing<Facts> = { readonly id: string; readonly at: Date | null; readonly facts: Facts }

/** One kind of thing that waits for somebody of the staff. It stands beside the tables of its things. */
export type Need<Facts = unknown> = {
  /** The name of the kind, as it stands in addresses: `keys`, `top-ups`. */
  readonly name: string
  /** A select of what waits, by an index and the longest first: `id` as text, `at`, and what the line tells as jsonb. */
  readonly waiting: (asker: NeedAsker) => RawBuilder<WaitingThing<Facts>>
  readonly line: (thing: { readonly id: string; readonly facts: Facts }) => NeedLine
}

/** Defines a need whose select gives these facts. */
export function defineNeed<Facts>(need: Need<Facts>): Need {
  return need as Need
}
