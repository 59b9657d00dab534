import { join } from 'node:path'
import { openAppendOnlyLog } from '../effects/open-append-only-log.ts'
import type { RegistrationBehaviour } from './registration-behaviour.ts'
import { findRegistrationOutcome, type RegistrationServerNo, registrationServers } from './registration-outcomes.ts'

export type RegistrationState = 'registered' | 'pending' | 'not_registered'

type Submission = {
  readonly server: RegistrationServerNo
  readonly number: string
  /** Milliseconds since 1970. */
  readonly at: number
  /** Time at which the number becomes registered, in milliseconds since 1970. Null: never. */
  readonly completesAt: number | null
}

/** The numbers of both registration servers. */
export type Registry = {
  stateOf(server: RegistrationServerNo, number: string): RegistrationState
  /**
   * Stores the number's first submission, if its outcome is `completes` or `never_completes`. Resolves with the
   * number's state when it is on disk.
   */
  submit(server: RegistrationServerNo, number: string): Promise<RegistrationState>
  /** Returns whether any server has registered the number. DataMart refuses MTN bundles for other numbers. */
  isRegisteredSomewhere(number: string): boolean
  count(): number
  close(): Promise<void>
}

/** Opens the file of submitted numbers. Scripts and the table of endings decide each number's outcome. */
export async function openRegistry(folder: string, behaviour: RegistrationBehaviour): Promise<Registry> {
  const submissions = new Map<string, Submission>()
  const keyOf = (server: RegistrationServerNo, number: string) => `${server} ${number}`
  const journal = await openAppendOnlyLog(join(folder, 'registrations.jsonl'), (text) => {
    const submission = JSON.parse(text) as Submission
    submissions.set(keyOf(submission.server, submission.number), submission)
  })

  function stateOf(server: RegistrationServerNo, number: string): RegistrationState {
    const outcome = findRegistrationOutcome(number, behaviour.scripts)
    if (outcome === 'server_1_only' || outcome === 'server_2_only') {
      return outcome === `server_${server}_only` ? 'registered' : 'not_registered'
    }
    if (outcome !== 'completes' && outcome !== 'never_completes') return 'registered'
    const submission = submissions.get(keyOf(server, number))
    if (!submission) return 'not_registered'
    return submission.completesAt !== null && submission.completesAt <= Date.now() ? 'registered' : 'pending'
  }

  async function submit(server: RegistrationServerNo, number: string): Promise<RegistrationState> {
    const outcome = findRegistrationOutcome(number, behaviour.scripts)
    const isTakenIn = outcome === 'completes' || outcome === 'never_completes'
    if (isTakenIn && stateOf(server, number) === 'not_registered') {
      const at = Date.now()
      const completesAt = outcome === 'completes' ? at + behaviour.completionMilliseconds : null
      const submission: Submission = { server, number, at, completesAt }
      await journal.append(JSON.stringify(submission))
      submissions.set(keyOf(server, number), submission)
    }
    return stateOf(server, number)
  }

  return {
    stateOf,
    submit,
    isRegisteredSomewhere: (number) => registrationServers.some((server) => stateOf(server, number) === 'registered'),
    count: () => submissions.size,
    close: journal.close,
  }
}
