import type { RawBuilder } from 'kysely'

/** The person who reads the needs. */
export type NeedAsker = {
  /** The name under which the person proposes and confirms. */
  readonly by: string
  /** The kinds of proposals that the person may confirm. */
  readonly mayConfirm: readonly string[]
}

/** A sentence about a waiting thing, and the page of the desk where somebody deals with it. */
export type NeedLine = { readonly text: string; readonly path: string }

/** A row of a need's select. `at`: the beginning of its wait; null where that is not known. */
export type WaitingThing<Facts> = { readonly id: string; readonly at: Date | null; readonly facts: Facts }

/** One kind of thing that waits for the staff. The desk shows the kinds that `desk/needs/all-needs.ts` lists. */
export type Need<Facts = unknown> = {
  /** The name of the kind in addresses: `keys`, `top-ups`. */
  readonly name: string
  /**
   * A select of the waiting things through an index, the longest wait first: `id` as text, `at`, and the facts of the line as
   * jsonb.
   */
  readonly waiting: (asker: NeedAsker) => RawBuilder<WaitingThing<Facts>>
  readonly line: (thing: { readonly id: string; readonly facts: Facts }) => NeedLine
}

export function defineNeed<Facts>(need: Need<Facts>): Need {
  return need as Need
}
