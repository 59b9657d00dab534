import type { IncomingHttpHeaders } from 'node:http'

/**
 * How a payer pays. `redirect`: on a page of the gateway. `prompt`: the gateway asks on the phone, so it needs the number.
 */
export type GatewayKind = 'redirect' | 'prompt'

/** What a gateway is asked to take from a payer. */
export type PaymentRequest = {
  /** Ours; the gateway knows the payment by it. */
  readonly reference: string
  /** Whole pesewas, the fee included. */
  readonly chargedPesewas: number
  readonly email: string
  /** Where the payer's browser goes afterwards. */
  readonly returnUrl: string
  /** `0XXXXXXXXX`: whom a gateway of the kind `prompt` asks. */
  readonly phone: string | undefined
  /** Where a gateway that signs nothing reports this payment; nobody else knows the address. */
  readonly callbackUrl: string
}

/**
 * What became of opening a payment. `opened`: its page is there. `prompted`: the payer is asked on the phone.
 * `refused`: the gateway will not take it. `not_sent`: it was never asked to. `unanswered`: nothing readable came back,
 * so the payment may exist; nobody has the address of its page, but a payer may have been asked on the phone.
 */
export type OpenedPayment =
  | { readonly meaning: 'opened'; readonly paymentUrl: string }
  | { readonly meaning: 'prompted' }
  | { readonly meaning: 'refused' | 'not_sent' | 'unanswered'; readonly evidence: string }

/**
 * What a gateway says about a payment, in our words.
 *
 * - `paid`: it has the money, with what it says it took
 * - `failed`: this try failed or was sent back; some gateways let the payer try again under the same reference
 * - `not_begun`: the payer has not paid anything yet
 * - `in_progress`: the payer is being asked, for example on the phone
 * - `not_known`: the gateway has never heard of the reference
 * - `unanswered`: nothing readable came: it says nothing about the payment
 */
export type PaymentAnswer =
  | {
      readonly meaning: 'paid'
      readonly reference: string
      readonly amountPesewas: number
      readonly currency: string
      readonly channel: string | undefined
      readonly evidence: string
    }
  | {
      readonly meaning: 'failed' | 'not_begun' | 'in_progress' | 'not_known' | 'unanswered'
      readonly evidence: string
      /** Why, in words for the payer. */
      readonly reason?: string | undefined
    }

/**
 * A gateway's message to us. It only says which payment to ask about: what it says about the payment is not believed,
 * the gateway is asked.
 */
export type PaymentCallback =
  | { readonly meaning: 'forged' | 'unreadable' }
  | { readonly meaning: 'about'; readonly reference: string }

/** A company that takes payments for us. Its calls never throw for what the network or the company does. */
export type PaymentGateway = {
  /** Its name in the table, in top-ups and in the address of its callback. */
  readonly name: string
  open(request: PaymentRequest): Promise<OpenedPayment>
  ask(reference: string): Promise<PaymentAnswer>
  /** Left out by a gateway that signs nothing: it is given an address for each payment. */
  readCallback?(headers: IncomingHttpHeaders, body: Buffer): PaymentCallback
}

/** A gateway as a payer is offered it. */
export type OfferedGateway = { readonly name: string; readonly title: string; readonly kind: GatewayKind }

/** Whom a gateway asks. `isAgain`: the same payment may have been asked for before. */
export type Payer = { readonly email: string; readonly isAgain: boolean }

/** What the routes of top-ups need of the gateways; a folder above this one implements it. */
export type Gateways = {
  /** Those that are switched on, in the order in which they are offered. */
  offer(): Promise<readonly OfferedGateway[]>
  /** What receipts call a gateway. */
  companyOf(name: string): string
  /** Opens the payment of a top-up, and writes what came of it. @returns false when the payer cannot pay it */
  open(topUpId: string, payer: Payer): Promise<boolean>
  /** Asks the gateway about a top-up, and does what its answer means. */
  verify(topUpId: string): Promise<void>
}
