import type { AnswerMeaning } from '../suppliers/ports.ts'
import type { AttemptOutcome } from './attempt.ts'

/** Why an open order waits, as the operator sees it. */
export type HoldReason =
  | 'no_definitive_answer'
  | 'not_registered'
  | 'platform_rejected'
  | 'request_rejected'
  | 'supplier_unreachable'
  | 'throttled'
  | 'route_paused'
  | 'route_missing'
  | 'supplier_missing'
  | 'not_offered'
  | 'cannot_ask'

/** The order's next step. Seconds count from the commit of the answer. */
export type NextStep =
  | { readonly do: 'complete' }
  | { readonly do: 'fail' }
  | { readonly do: 'ask_again'; readonly afterSeconds: number; readonly holdReason: HoldReason | null }
  | { readonly do: 'send_again'; readonly afterSeconds: number; readonly holdReason: HoldReason | null }
  | { readonly do: 'send_elsewhere'; readonly route: string }
  | {
      readonly do: 'send_elsewhere_later'
      readonly route: string
      readonly afterSeconds: number
      readonly holdReason: HoldReason
    }
  | { readonly do: 'hold_for_registration' }

export type Decision = {
  readonly step: NextStep
  readonly outcome: AttemptOutcome
  /**
   * The supplier refused because of our own mistake. From the first such answer on, the order has a deadline (decision
   * S12b: our own mistakes have a deadline).
   */
  readonly isOurMistake?: true
  /** The answer to record. `never_received_early` came too early to prove anything, and is not counted. */
  readonly recordedAnswer: AnswerMeaning | 'never_received_early'
}
