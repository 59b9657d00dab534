import type { GatewayKind, PaymentGateway } from '../money/top-ups/payment-gateway.ts'

/** What this code knows of a gateway before an operator has an account there. */
export type GatewayAdapter = {
  readonly name: string
  /** What payers choose. */
  readonly title: string
  /** What receipts call it. */
  readonly company: string
  readonly kind: GatewayKind
  /** Where it is, unless an operator sets another address. */
  readonly baseUrl: string
  readonly credentialNames: readonly string[]
  /** What the simulator accepts. No secrets: they work only there. */
  readonly simulatedCredentials: Readonly<Record<string, string>>
  open(baseUrl: string, credentials: Readonly<Record<string, string>>): PaymentGateway
}
