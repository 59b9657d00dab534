import type { Api } from './api.ts'

/** One sentence of the contract, and how it is tried. */
export type Check = {
  /** Place in the contract: the part, and the rule in it. */
  readonly section: string
  /** The rule, in our words. */
  readonly sentence: string
  /** @throws Broken when the sentence does not hold, Untried when it cannot be tried here */
  readonly attempt: (api: Api) => Promise<void>
}

/** The checks of one part of the contract. */
export type Chapter = { readonly name: string; readonly checks: readonly Check[] }

export const check = (section: string, sentence: string, attempt: Check['attempt']): Check => ({ section, sentence, attempt })
