import type { Installation, OtherDatabase } from '../installation.ts'

/** A way to back a database up, and to put an earlier minute of it into a new server. */
export type Copies = {
  /** The database that is backed up. Absent: the embedded one. */
  readonly database?: OtherDatabase
  /** From this moment on, what is sold is not in what `restore` brings back. */
  backUp(installation: Installation): Promise<void>
  /** Ends the server and starts another one with the earlier minute. No worker may run. */
  restore(installation: Installation): Promise<void>
  destroy(): Promise<void>
}
