import type { IncomingHttpHeaders } from 'node:http'

/**
 * How a payer pays. `redirect`: on a page of the gateway. `prompt`: the gateway asks on the phone, so it needs the number.
 */
export type GatewayKind = 'redirect' | 'prompt'

/** What a gateway is asked to take from a payer. */
export type PaymentRequest = {
  /** Our reference, by which the gateway knows the payment. */
  readonly reference: string
  /** Whole pesewas, the fee included. */
  readonly chargedPesewas: number
  readonly email: string
  /** Where the payer's browser goes afterwards. */
  readonly returnUrl: string
  /** The payer's number, `0XXXXXXXXX`, which a gateway of the kind `prompt` asks. */
  readonly phone: string | undefined
  /** The address to which a gateway that does not sign its callbacks reports this payment. Nobody else knows this address. */
  readonly callbackUrl: string
}

/**
 * What became of opening a payment. `opened`: the gateway has made its page. `prompted`: the payer is asked on the
 * phone. `refused`: the gateway will not take the payment. `not_sent`: the request never left. `unanswered`: no
 * readable answer came, so the payment may exist; nobody knows the address of its page, but the payer may have been
 * asked on the phone.
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
 * A gateway's message to us. It only says about which payment we should ask: the status in it is not believed, because
 * only the gateway's answer to our question counts.
 */
export type PaymentCallback =
  | { readonly meaning: 'forged' | 'unreadable' }
  | { readonly meaning: 'about'; readonly reference: string }

/** A company that takes payments for us. Its calls never throw for what the network or the company does. */
export type PaymentGateway = {
  /** The gateway's name in the table, in top-ups and in the address of its callback. */
  readonly name: string
  open(request: PaymentRequest): Promise<OpenedPayment>
  ask(reference: string): Promise<PaymentAnswer>
  /**
   * Reads a signed callback. Left out for a gateway that does not sign: its callbacks come to an address of their own
   * for each payment.
   */
  readCallback?(headers: IncomingHttpHeaders, body: Buffer): PaymentCallback
}

/** A gateway as the payer sees it among the choices. */
export type OfferedGateway = { readonly name: string; readonly title: string; readonly kind: GatewayKind }

/** Who is asked to pay. `isAgain`: the gateway may have been asked for this payment before. */
export type Payer = { readonly email: string; readonly isAgain: boolean }

/** What the routes of top-ups need of the gateways; a folder above this one implements it. */
export type Gateways = {
  /** The gateways that are switched on, in the order in which payers are offered them. */
  offer(): Promise<readonly OfferedGateway[]>
  /** What receipts call a gateway. */
  companyOf(name: string): string
  /** Opens the payment of a top-up, and stores the outcome. @returns false when the payer cannot pay it */
  open(topUpId: string, payer: Payer): Promise<boolean>
  /** Asks the gateway about a top-up, and does what its answer means. */
  verify(topUpId: string): Promise<void>
}
