import type { CommissionRate, CommissionShare } from '../money/write-commission-plan.ts'

const rates = (product: string, byNetwork: Readonly<Record<string, number>>): CommissionRate[] =>
  Object.entries(byNetwork).map(([network, rateBasisPoints]) => ({ product, network, rateBasisPoints }))

const shares = (product: string, byRole: Readonly<Record<CommissionShare['role'], number>>): CommissionShare[] =>
  (['customer', 'agent', 'dealer'] as const).map((role) => ({ product, role, shareBasisPoints: byRole[role] }))

/** The commission that the demo expects from its suppliers, in basis points of the amount; invented, near real figures. */
export const demoCommissionRates: readonly CommissionRate[] = [
  ...rates('airtime', { MTN: 300, Telecel: 350, AT: 400 }),
  ...rates('utilities', { ecg: 125, ghana_water: 125, dstv: 150, gotv: 150, startimes: 175 }),
]

/** The shares of the demo's resellers. On airtime only lifetime agents and dealers earn commission. */
export const demoCommissionShares: readonly CommissionShare[] = [
  ...shares('airtime', { customer: 0, agent: 5_000, dealer: 6_000 }),
  ...shares('utilities', { customer: 2_500, agent: 5_000, dealer: 6_000 }),
]
