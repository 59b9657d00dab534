export type AnsweredRow = Readonly<Record<string, unknown>>

/**
 * A field of a list: its label, the value to type or choose, and the query by which the server gives the expected rows. A
 * function in place of the query picks these rows from the first answer, for fields that filter without asking the server.
 */
export type FieldWalk = readonly [label: string, value: string, fits: string | ((row: AnsweredRow) => boolean)]

/** A list of a screen, and how a test walks it. `fillLists` gives the values for words in capitals. */
export type ListWalk = {
  /** The files that ask for the rows or hold the filters, below `dashboard/src/`. */
  readonly sources: readonly string[]
  readonly path: string
  /** The name of the list for screen readers. */
  readonly list: string
  /** CSS selector of the part that holds the list and its fields. Left out: the main part of the screen. */
  readonly within?: string
  /** The button for the next page. Left out: all rows come at once. */
  readonly more?: string
  /** True: the next page replaces the rows before it. Left out: its rows are added below them. */
  readonly isReplaced?: boolean
  /** The address that the screen asks for the rows, with its query before any field is set. */
  readonly answers: string
  /** The parameter of the query that takes the `next` of the answer. Left out: `after`. */
  readonly nextAs?: 'before' | 'after' | 'page'
  /** True for the rows of the answer that this list shows. Left out: all. */
  readonly isIn?: (row: AnsweredRow) => boolean
  /** The texts that each shown row must have: names of columns of the answered row, or a function that gives the values. */
  readonly says: readonly string[] | ((row: AnsweredRow) => readonly unknown[])
  readonly fields: readonly FieldWalk[]
  /** Fields beside the list that are no filters of it. */
  readonly otherFields?: readonly string[]
}

const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)
export const [yesterday, lastWeek] = [daysAgo(1), daysAgo(7)]
