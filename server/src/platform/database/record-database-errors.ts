import { AsyncLocalStorage } from 'node:async_hooks'

type Note = { error?: unknown }

const notes = new AsyncLocalStorage<Note>()

/** Keeps the first error of the database during a call of `recordingDatabaseErrors`. */
export function recordDatabaseError(error: unknown): void {
  const note = notes.getStore()
  if (note) note.error ??= error
}

/**
 * Makes a call to a library that does not pass on the errors of our database: it throws another error, or returns as if the
 * statement had succeeded.
 *
 * @throws the first error of the database during the call, else the library's error
 */
export async function recordingDatabaseErrors<T>(call: () => Promise<T>): Promise<T> {
  const note: Note = {}
  let answer: T
  try {
    answer = await notes.run(note, call)
  } catch (error) {
    throw note.error ?? error
  }
  if (note.error !== undefined) throw note.error
  return answer
}
