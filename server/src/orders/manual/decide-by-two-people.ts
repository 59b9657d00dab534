import Type, { type TSchema } from 'typebox'
import type { AccountPurse } from '../../money/money.tables.ts'
import { lockWallets } from '../../money/wallets.ts'
import { type Agreement, type ApprovalKind, ApprovalRefusedError, type Change } from '../../platform/approvals/approval-kind.ts'
import { ProposedMeanwhileError, proposeApproval } from '../../platform/approvals/propose-approval.ts'
import type { Person } from '../../platform/approvals/two-people.ts'
import type { Db, Tx } from '../../platform/database/database.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { listOrdersById, type Order } from '../order.ts'
import { type ProductFacts, productOf } from '../product-facts.ts'

export type PersonDecision = {
  readonly orderId: string
  /** The person's proof, such as the supplier's ticket number. */
  readonly evidence: string
  readonly person: Person
  /** The reference that the page gave its request. Requests with the same reference count once. */
  readonly reference?: string | undefined
}

/** `reference` is that of the order. It is there to be shown to people. */
export const orderRequestFields = { orderId: Type.String(), reference: Type.String() }
export type OrderRequest = { readonly orderId: string; readonly reference: string }

/** The reason of a refusal, for a screen or a terminal, and the command that helps instead. */
export type RefusalExplanation = { readonly why: string; readonly command?: string }

export type TwoPersonResult =
  | { readonly state: 'proposed' | 'settled' | 'same_waits'; readonly approvalId: string; readonly order: Order }
  | ({ readonly state: 'refused' } & RefusalExplanation)

export type OrderAgreement = Agreement & { readonly product: ProductFacts }

/** `Facts` is what the decision depends on besides the order. */
export type TwoPersonDecision<Request extends OrderRequest, Facts> = {
  /** The name of the command that proposes it. */
  readonly name: string
  readonly schema: TSchema
  /** The wallets of the order's account that the decision may change. They are locked before anything else. */
  readonly purses: readonly AccountPurse[]
  describe(request: Request): string
  /** Reads the facts, under locks where they are needed. The order is read again after that. */
  lockFacts(tx: Tx, orderId: string): Promise<Facts>
  /** The reason why this cannot be done, or undefined. */
  refuse(order: Order, facts: Facts, request: Request, product: ProductFacts): RefusalExplanation | undefined
  foresee(order: Order, facts: Facts, request: Request, product: ProductFacts): Change
  /** @returns further details for the operator's log, besides the order */
  carryOut(
    tx: Tx,
    order: Order,
    facts: Facts,
    request: Request,
    agreement: OrderAgreement,
  ): Promise<Readonly<Record<string, unknown>>>
}

const readOrder = async (db: Db | Tx, orderId: string) => (await listOrdersById(db, [orderId])).get(orderId)

/**
 * Locks the wallets, locks or reads the facts, and then reads the order again: another process may have ended it since it
 * was first read without a lock.
 */
async function lockOrder<Request extends OrderRequest, Facts>(
  tx: Tx,
  decision: TwoPersonDecision<Request, Facts>,
  orderId: string,
): Promise<{ order: Order; facts: Facts }> {
  const known = await readOrder(tx, orderId)
  if (!known) throw new ApprovalRefusedError('There is no such order.')
  await lockWallets(
    tx,
    decision.purses.map((purse) => ({ accountId: known.accountId, purse })),
  )
  const facts = await decision.lockFacts(tx, orderId)
  return { order: (await readOrder(tx, orderId)) ?? known, facts }
}

/** The kind of approval for a decision about orders of these products. */
export function orderApprovalKind<Request extends OrderRequest, Facts>(
  products: readonly ProductFacts[],
  decision: TwoPersonDecision<Request, Facts>,
): ApprovalKind<Request> {
  return {
    name: decision.name,
    schema: decision.schema,
    describe: (request) => decision.describe(request),
    accountOf: async (db, { orderId }) => (await readOrder(db, orderId))?.accountId,
    async lockAndPreview(tx, request) {
      const { order, facts } = await lockOrder(tx, decision, request.orderId)
      const product = productOf(products, order.kind)
      const whyNot = decision.refuse(order, facts, request, product)
      if (whyNot) throw new ApprovalRefusedError(whyNot.why, whyNot)
      return decision.foresee(order, facts, request, product)
    },
    async carryOut(tx, request, agreement) {
      const { order, facts } = await lockOrder(tx, decision, request.orderId)
      const product = productOf(products, order.kind)
      return { order_id: order.id, ...(await decision.carryOut(tx, order, facts, request, { ...agreement, product })) }
    },
  }
}

/**
 * Records one person's decision about an order. The first person's decision is a proposal, which that person may correct. When
 * a second person decides the same on the command line, the decision is carried out in the same transaction.
 */
export async function decideByTwoPeople<Request extends OrderRequest>(
  db: Db,
  kind: ApprovalKind<Request>,
  { orderId, evidence: reason, person, reference: pageReference }: PersonDecision,
  requestOf: (about: OrderRequest) => Request,
): Promise<TwoPersonResult> {
  const order = await readOrder(db, orderId)
  if (!order) return { state: 'refused', why: 'There is no such order.' }
  const { reference } = order
  const request = requestOf({ orderId, reference })
  const proposal = { kind, subject: reference, request, key: orderId, reason, person, reference: pageReference }
  for (;;) {
    try {
      const { approvalId, status } = await inTransaction(db, (tx) => proposeApproval(tx, { ...proposal, mayBeCorrected: true }))
      const state = ({ done: 'settled', pending: 'proposed', same_waits: 'same_waits' } as const)[status]
      return { state, approvalId, order: (await readOrder(db, orderId)) ?? order }
    } catch (error) {
      // Another person proposed something about this order at this moment. The next try finds that proposal.
      if (error instanceof ProposedMeanwhileError) continue
      if (error instanceof ApprovalRefusedError) {
        const { message: why, command } = error
        return { state: 'refused', why, ...(command !== undefined && { command }) }
      }
      throw error
    }
  }
}
