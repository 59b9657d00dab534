import type { Static, TSchema } from 'typebox'
import type { Db, Tx } from '../database/database.ts'
import { OperatorRequestError } from '../operator-request-error.ts'
import type { Setting } from '../settings/settings.ts'

/** The values before and after a request, for people: `GHS 100.00`, `120 in stock`. */
export type Change = { readonly before: string; readonly after: string }

export type Agreement = {
  readonly approvalId: string
  readonly reason: string
  /** The second person's note. */
  readonly note: string | null
  /** The names of both people. */
  readonly actor: string
}

/** An action that takes two people, for the queue of approvals. */
export type ApprovalKind<Request = unknown> = {
  /** The name of the command that proposes it, such as `wallet correct`. */
  readonly name: string
  readonly schema: TSchema
  /** Describes the action as one line that can follow the word "to". */
  describe(request: Request): string
  /**
   * True when the action loosens a guard of money or rights. Where nobody else could confirm it, it takes effect 24 hours after
   * all owners got a notice.
   */
  readonly isLoosening?: true
  /** For a loosening: the hours in place of 24. */
  readonly waitHours?: Setting<number>
  /** The account whose money or order the request concerns. Left out: it concerns no account. */
  accountOf?(db: Db, request: Request): Promise<string | undefined>
  /**
   * Locks the rows of the request, and describes the change. Called when it is proposed, and again when it is confirmed.
   * @throws ApprovalRefusedError when it cannot be done
   */
  lockAndPreview(tx: Tx, request: Request): Promise<Change>
  /**
   * Carries the request out, in the transaction that writes the confirmation.
   * @returns figures for the operator's log
   */
  carryOut(tx: Tx, request: Request, agreement: Agreement): Promise<Readonly<Record<string, unknown>>>
}

/** Defines a kind of approval. Define it in the file whose functions it calls. */
export function defineApprovalKind<const S extends TSchema>(
  kind: Omit<ApprovalKind<Static<S>>, 'schema'> & { readonly schema: S },
): ApprovalKind<Static<S>> {
  return kind
}

/** Describes a proposal; for a kind that this version does not know, only by its name. */
export function describeProposal(
  kinds: readonly ApprovalKind[],
  proposal: { readonly kind: string; readonly request: unknown },
): string {
  return kinds.find(({ name }) => name === proposal.kind)?.describe(proposal.request) ?? proposal.kind
}

/** Finds the account whose money or order a proposal concerns, if any. */
export async function accountOfProposal(
  db: Db,
  kinds: readonly ApprovalKind[],
  proposal: { readonly kind: string; readonly request: unknown },
): Promise<string | undefined> {
  return kinds.find(({ name }) => name === proposal.kind)?.accountOf?.(db, proposal.request)
}

/** The proposal, confirmation or refusal is not possible. Nothing was changed, and the message gives the reason. */
export class ApprovalRefusedError extends OperatorRequestError {
  override readonly name = 'ApprovalRefusedError'
}
