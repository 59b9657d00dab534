import type { GatewayKind, PaymentGateway } from '../money/top-ups/payment-gateway.ts'

/** The facts about a gateway that the code holds. An operator's own account at the gateway is not among them. */
export type GatewayAdapter = {
  readonly name: string
  /** The name among the payer's choices. */
  readonly title: string
  /** The name on receipts. */
  readonly company: string
  readonly kind: GatewayKind
  /** The address of the gateway's API. An operator can set another one. */
  readonly baseUrl: string
  readonly credentialNames: readonly string[]
  /** The credentials that the simulator accepts. They are no secrets, because they work only there. */
  readonly simulatedCredentials: Readonly<Record<string, string>>
  open(baseUrl: string, credentials: Readonly<Record<string, string>>): PaymentGateway
}
