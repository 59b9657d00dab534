import type { Static, TSchema } from 'typebox'
import type { Db, Tx } from '../database/database.ts'
import { OperatorRequestError } from '../operator-request-error.ts'

/** What a request would change, in words for people: `GHS 100.00`, `120 in stock`. */
export type Change = { readonly before: string; readonly after: string }

/** What two people have agreed on. */
export type Agreement = {
  readonly approvalId: string
  readonly reason: string
  /** The second person's own words, if any. */
  readonly note: string | null
  /** Names both. */
  readonly actor: string
}

/** An action that takes two people, as the queue of approvals sees it. */
export type ApprovalKind<Request = unknown> = {
  /** The name of the command that proposes it, such as `wallet correct`. */
  readonly name: string
  /** The schema of a request, as it is stored. */
  readonly schema: TSchema
  /** What the approval will do, as one line that can follow the word "to". */
  describe(request: Request): string
  /**
   * Whether it loosens what guards money or rights. Where nobody else could confirm it, it takes effect by itself 24 hours
   * after all owners were told.
   */
  readonly isLoosening?: true
  /** The account whose money or order it is. Left out: it is about no account. */
  accountOf?(db: Db, request: Request): Promise<string | undefined>
  /**
   * Locks the rows that the request touches, and says what it would change. Called when it is proposed, and again when
   * it is confirmed.
   * @throws ApprovalRefusedError when it cannot be done
   */
  weigh(tx: Tx, request: Request): Promise<Change>
  /**
   * Carries the request out, in the transaction that writes the confirmation.
   * @returns figures for the operator's log
   */
  carryOut(tx: Tx, request: Request, agreement: Agreement): Promise<Readonly<Record<string, unknown>>>
}

/** Defines a kind of approval. It belongs into the file whose code it calls. */
export function defineApprovalKind<const S extends TSchema>(
  kind: Omit<ApprovalKind<Static<S>>, 'schema'> & { readonly schema: S },
): ApprovalKind<Static<S>> {
  return kind
}

/** Says what a proposal will do; for a kind that this version does not know, only its name. */
export function describeProposal(
  kinds: readonly ApprovalKind[],
  proposal: { readonly kind: string; readonly request: unknown },
): string {
  return kinds.find(({ name }) => name === proposal.kind)?.describe(proposal.request) ?? proposal.kind
}

/** The account whose money or order a proposal is about, if any. */
export async function accountOfProposal(
  db: Db,
  kinds: readonly ApprovalKind[],
  proposal: { readonly kind: string; readonly request: unknown },
): Promise<string | undefined> {
  return kinds.find(({ name }) => name === proposal.kind)?.accountOf?.(db, proposal.request)
}

/** A proposal, a confirmation or a refusal that is not possible. Nothing was changed, and the message says why. */
export class ApprovalRefusedError extends OperatorRequestError {
  override readonly name = 'ApprovalRefusedError'
}
