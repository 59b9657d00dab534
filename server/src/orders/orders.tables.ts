import type { ColumnType, Generated } from 'kysely'
import type { Role } from '../accounts/caller.ts'
import type { OrderStatus } from './order-life-cycle.ts'

/** Written as JSON text, read as the parsed value. */
type Json = ColumnType<Record<string, unknown>, string, string>

declare module '../platform/database/database.ts' {
  interface Tables {
    orders: {
      id: string
      account_id: string
      kind: string
      reference: string
      status: OrderStatus
      price: number
      recipient: string
      /** Set once the recipient was forgotten. */
      recipient_hash: Generated<Buffer | null>
      source: Generated<string>
      details: Json
      /** The role whose prices the order has. */
      role: Generated<Role | null>
      created_at: Generated<Date>
      updated_at: Generated<Date>
    }
    /** The person who placed an order in the dashboard; orders of programs have no row. */
    orders_of_persons: { order_id: string; person_id: string }
    /** A member's spending limit per day, and what was spent on the last day. Changed only while the main wallet is locked. */
    spending_limits: {
      account_id: string
      person_id: string
      per_day: number
      /** As text, such as `2027-01-31`. */
      spent_on: string
      spent: number
      set_by: string
      set_at: Generated<Date>
    }
    /** The failed orders whose money has not been refunded. A trigger on `orders` writes these rows. */
    unrefunded_orders: { order_id: string; failed_at: Generated<Date> }
    /** Costs of units where no supplier reports them; rows are only added. */
    unit_costs: {
      cost_no: Generated<number>
      product: string
      key: string
      pesewas: string
      percent: Generated<string>
      valid_from: Date
      note: string | null
      actor: string
      created_at: Generated<Date>
    }
    /** Orders that were open when they were old enough to be forgotten. */
    orders_to_forget: { order_id: string }
    /** Days from which on the worker must count the costs again. */
    cost_recounts: { since: string }
    order_references: {
      reference: string
      account_id: string
      order_id: string
      kind: string
      fingerprint: Buffer
    }
    account_references: {
      account_id: string
      service: string
      reference: string
      order_id: string
      kind: string
      fingerprint: Buffer
    }
    order_events: {
      order_id: string
      event_no: Generated<number>
      from_status: OrderStatus
      to_status: OrderStatus
      reason: string | null
      actor: string
      created_at: Generated<Date>
      /** The transaction that wrote the row. */
      transaction_id: ColumnType<string, never, never>
      era: ColumnType<number, never, never>
    }
    open_orders: {
      order_id: string
      route: string
      next_step_at: Generated<Date>
      lease_until: Generated<Date>
      lease_no: Generated<number>
      attempt_no: number | null
      hold_reason: string | null
      /** The moment from which the order waits for our own mistake to be mended. Null: it never did. */
      our_mistake_since: Generated<Date | null>
      /** True when the next step was a question about the attempt, at the time the step was scheduled. */
      is_question: Generated<boolean>
    }
    attempts: {
      order_id: string
      attempt_no: number
      supplier: string
      outgoing_reference: string
      send_before: Date
      created_at: Generated<Date>
      outcome: string | null
      supplier_reference: string | null
      answered_at: Date | null
      asks: Generated<number>
      /**
       * The expected cost of the attempt, in pesewas, by the supplier's price when the attempt began. Null: the price was
       * not known.
       */
      expected_cost: Generated<number | null>
    }
    attempt_answers: {
      order_id: string
      answer_no: Generated<number>
      attempt_no: number
      source: 'send' | 'resend' | 'status' | 'callback' | 'person'
      answer: string
      /** Written by `packEvidence`. */
      evidence: Buffer
      supplier_reference: string | null
      reported_cost: number | null
      reported_commission: number | null
      account_name: string | null
      created_at: Generated<Date>
    }
    contradictions: {
      id: string
      order_id: string
      attempt_no: number | null
      status: string
      evidence: string
      created_at: Generated<Date>
    }
    /** Resellers' reports of orders that did not arrive, and the operator's answers. */
    order_reports: {
      order_id: string
      account_id: string
      reason: string
      status_then: OrderStatus
      reported_by: string
      reported_at: Generated<Date>
      answer: string | null
      found: 'delivered' | 'not_delivered' | 'unclear' | null
      answered_by: string | null
      answered_at: Date | null
    }
  }
}
