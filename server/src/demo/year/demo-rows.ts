import type { Role } from '../../accounts/caller.ts'
import type { PostedTransfer } from '../../money/post-transfer.ts'
import type { OrderStatus } from '../../orders/order-life-cycle.ts'
import type { NewCampaign } from '../../products/sms/campaigns/write-campaigns.ts'

/** An order in its state at the end of the demo's history. Moments are milliseconds here and below. */
export type DemoOrder = {
  readonly id: string
  readonly accountId: string
  readonly kind: string
  readonly reference: string
  readonly status: OrderStatus
  readonly price: number
  readonly recipient: string
  readonly source: string
  readonly details: object
  readonly role: Role
  readonly at: number
  readonly updatedAt: number
}

export type DemoAttempt = {
  readonly id: string
  readonly orderId: string
  readonly no: number
  readonly supplier: string
  readonly outgoingReference: string
  readonly at: number
  outcome: string | null
  supplierReference: string | null
  answeredAt: number | null
  asks: number
  readonly expectedCost: number | null
}

export type DemoAnswer = {
  readonly attemptId: string
  readonly source: 'send' | 'status' | 'callback' | 'person'
  readonly answer: string
  readonly evidence: string
  readonly supplierReference: string | null
  readonly reportedCost: number | null
  readonly reportedCommission: number | null
  readonly at: number
}

export type DemoEvent = {
  readonly orderId: string
  readonly from: OrderStatus
  readonly to: OrderStatus
  readonly reason: string | null
  readonly actor: string
  readonly at: number
}

export type DemoOpenOrder = {
  readonly orderId: string
  readonly route: string
  /** Null: no step without a cause from outside. */
  readonly nextStepAt: number | null
  readonly attemptId: string | null
  readonly holdReason: string | null
}

/** A decision of two people about an order. */
export type DemoProposal = {
  readonly id: string
  readonly orderId: string
  readonly reference: string
  readonly kind: 'order settle' | 'order take-back' | 'order adjust'
  /** The fields of the request besides the order. */
  readonly figures: { readonly outcome?: 'completed' | 'failed'; readonly amount?: number }
  readonly evidence: string
  readonly proposedBy: string
  readonly proposedAt: number
  readonly confirmedBy: string
  readonly confirmedAt: number
}

export type DemoApproval = {
  readonly id: string
  readonly kind: string
  readonly key: string
  readonly subject: string
  readonly request: object
  readonly reason: string
  readonly before: string
  readonly after: string
  readonly proposedBy: string
  readonly at: number
  readonly state: 'pending' | 'done' | 'refused' | 'expired'
  readonly decidedBy: string | null
  readonly decidedAt: number | null
}

export type DemoCredit = {
  readonly id: string
  readonly accountId: string
  readonly purse: string
  readonly externalId: string
  readonly amount: number
  readonly note: string
  readonly actor: string
  readonly approvalId: string | null
  readonly at: number
}

export type DemoCorrection = {
  readonly id: string
  readonly accountId: string
  readonly purse: string
  readonly creditId: string
  readonly amount: number
  readonly reason: string
  readonly actor: string
  readonly at: number
}

export type DemoCampaign = Omit<NewCampaign, 'text' | 'scheduledAt'> & {
  readonly status: string
  readonly encoding: string
  readonly segments: number
  readonly recipientsCount: number
  readonly creditsCharged: number
  readonly creditsRefunded: number
  readonly openCount: number
  readonly at: number
  readonly scheduledAt: number | null
  readonly expandedAt: number | null
  readonly settledAt: number | null
}

export type DemoMessage = {
  readonly campaignId: string
  readonly n: number
  readonly recipient: string
  readonly network: string
  readonly status: string
  readonly submit: string
  readonly reason: string | null
  readonly at: number
  readonly statusAt: number
}

export type DemoApplication = {
  readonly orderId: string
  readonly identity: string | null
  readonly claimedBy: string | null
  readonly claimedAt: number | null
  readonly purgedAt: number | null
  readonly at: number
}

export type DemoVoucher = {
  readonly id: string
  readonly typeId: string
  readonly orderId: string
  readonly pin: string
  readonly serialNumber: string
  readonly importedAt: number
  readonly soldAt: number
}

/** Rows to be written together, a list per table. */
export type DemoRows = {
  readonly orders: DemoOrder[]
  readonly sharedReferences: DemoOrder[]
  readonly ownReferences: (DemoOrder & { readonly own: string })[]
  readonly openOrders: DemoOpenOrder[]
  readonly attempts: DemoAttempt[]
  readonly answers: DemoAnswer[]
  readonly events: DemoEvent[]
  readonly contradictions: {
    readonly id: string
    readonly orderId: string
    readonly attemptId: string
    readonly status: string
    readonly evidence: string
    readonly at: number
  }[]
  readonly proposals: DemoProposal[]
  readonly approvals: DemoApproval[]
  readonly credits: DemoCredit[]
  readonly corrections: DemoCorrection[]
  readonly commissions: {
    readonly orderId: string
    readonly accountId: string
    readonly base: number
    readonly caller: number
    readonly platform: number
    readonly source: string
    readonly at: number
  }[]
  readonly commissionMoves: {
    readonly id: string
    readonly accountId: string
    readonly externalId: string
    readonly amount: number
    readonly at: number
  }[]
  readonly transfers: (PostedTransfer & { readonly at: number })[]
  readonly campaigns: DemoCampaign[]
  readonly messages: DemoMessage[]
  readonly afa: DemoApplication[]
  readonly vouchers: DemoVoucher[]
  readonly log: {
    readonly actor: string
    readonly action: string
    readonly subject: string
    readonly details: object
    readonly at: number
  }[]
}

export function createDemoRows(): DemoRows {
  return {
    orders: [],
    sharedReferences: [],
    ownReferences: [],
    openOrders: [],
    attempts: [],
    answers: [],
    events: [],
    contradictions: [],
    proposals: [],
    approvals: [],
    credits: [],
    corrections: [],
    commissions: [],
    commissionMoves: [],
    transfers: [],
    campaigns: [],
    messages: [],
    afa: [],
    vouchers: [],
    log: [],
  }
}
