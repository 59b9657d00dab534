/** A row of an answer. */
export type AnsweredRow = Readonly<Record<string, unknown>>

/**
 * A field of a list: its label, what is typed or chosen in it, and the query that the server must have been asked. Where the
 * screen itself takes the rows from an answer that it has, a function says which.
 */
export type FieldWalk = readonly [label: string, value: string, fits: string | ((row: AnsweredRow) => boolean)]

/** A list of a screen, and how it is walked. Words in capitals stand for what `fillLists` has made. */
export type ListWalk = {
  /** The files that ask for the rows or hold the filters, below `dashboard/src/`. */
  readonly sources: readonly string[]
  readonly path: string
  /** What the list is called for screen readers. */
  readonly list: string
  /** Where the list and its fields stand; in the main part of the screen if left out. */
  readonly within?: string
  /** The button for the next page. Left out: all rows come at once. */
  readonly more?: string
  /** Whether the next page takes the place of the one before. */
  readonly isReplaced?: boolean
  /** The address of the answer with the query that is asked before any field is set. */
  readonly answers: string
  /** The name of the query that takes the `next` of the answer. */
  readonly nextAs?: 'before' | 'after' | 'page'
  /** Which rows of the answer stand in this list; all if left out. */
  readonly isIn?: (row: AnsweredRow) => boolean
  /** What each row must show of the row of the answer: the names of its columns, or their values. */
  readonly says: readonly string[] | ((row: AnsweredRow) => readonly unknown[])
  readonly fields: readonly FieldWalk[]
  /** Fields beside the list that are no filters of it. */
  readonly otherFields?: readonly string[]
}

const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)
export const [yesterday, lastWeek] = [daysAgo(1), daysAgo(7)]
