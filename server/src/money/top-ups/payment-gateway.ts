import type { IncomingHttpHeaders } from 'node:http'

/** `redirect`: the payer pays on a page of the gateway. `prompt`: the gateway asks on the phone, so it needs the number. */
export type GatewayKind = 'redirect' | 'prompt'

/** A request to a gateway to take money from a payer. */
export type PaymentRequest = {
  /** Our reference of the payment at the gateway. */
  readonly reference: string
  /** Whole pesewas, the fee included. */
  readonly chargedPesewas: number
  readonly email: string
  /** The address to which the gateway sends the payer's browser after the payment. */
  readonly returnUrl: string
  /** The payer's number, `0XXXXXXXXX`, which a gateway of the kind `prompt` asks. */
  readonly phone: string | undefined
  /** The address to which a gateway that does not sign its callbacks reports this payment. Nobody else knows this address. */
  readonly callbackUrl: string
}

/**
 * The result of opening a payment. `opened`: the gateway has made its page. `prompted`: the payer is asked on the phone.
 * `refused`: the gateway will not take the payment. `not_sent`: no byte of the request was sent. `unanswered`: no readable
 * answer came, so the payment may exist: its page has no known address, and the payer may have been asked on the phone.
 */
export type OpenedPayment =
  | { readonly meaning: 'opened'; readonly paymentUrl: string }
  | { readonly meaning: 'prompted' }
  | { readonly meaning: 'refused' | 'not_sent' | 'unanswered'; readonly evidence: string }

/**
 * A gateway's answer about a payment, in our words.
 *
 * - `paid`: the gateway has the money, and reports the amount
 * - `failed`: the payment failed or was sent back; some gateways let the payer try again under the same reference
 * - `not_begun`: the payer has not paid anything yet
 * - `in_progress`: the payer is being asked, for example on the phone
 * - `not_known`: the gateway does not know the reference
 * - `unanswered`: no readable answer came, which proves nothing about the payment
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
      /** The reason in words for the payer. */
      readonly reason?: string | undefined
    }

/**
 * A gateway's message to us. It only shows which payment to ask about: the status in it is not believed, because only the
 * gateway's answer to our question counts.
 */
export type PaymentCallback =
  | { readonly meaning: 'forged' | 'unreadable' }
  | { readonly meaning: 'about'; readonly reference: string }

/** A company that takes payments for us. Its calls never throw for an error of the network or of the company. */
export type PaymentGateway = {
  /** The name in the table, in top-ups and in the address of its callback. */
  readonly name: string
  open(request: PaymentRequest): Promise<OpenedPayment>
  ask(reference: string): Promise<PaymentAnswer>
  /**
   * Reads a signed callback. Left out for a gateway that does not sign: then each payment has its own secret callback
   * address.
   */
  readCallback?(headers: IncomingHttpHeaders, body: Buffer): PaymentCallback
}

/** A gateway among the payer's choices. */
export type OfferedGateway = { readonly name: string; readonly title: string; readonly kind: GatewayKind }

/** `isAgain`: the gateway may have been asked for this payment before. */
export type Payer = { readonly email: string; readonly isAgain: boolean }

/** The gateways' functions for top-ups. The folder `gateways` implements them. */
export type Gateways = {
  /** Lists the gateways that are switched on, in the order of the payer's choices. */
  offer(): Promise<readonly OfferedGateway[]>
  /** The gateway's name on receipts. */
  companyOf(name: string): string
  /** Opens the payment of a top-up, and stores the result. @returns false when the payer cannot pay it */
  open(topUpId: string, payer: Payer): Promise<boolean>
  /** Asks the gateway about a top-up, unless it was asked a moment ago, and carries out the decision on its answer. */
  verify(topUpId: string): Promise<void>
}
