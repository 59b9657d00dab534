import { sql } from 'kysely'
import type { Role } from '../../accounts/caller.ts'
import { type Pesewas, pesewasFromGhs } from '../../money/pesewas.ts'
import type { OrderKind } from '../../orders/order-kind.ts'
import { manualRoute } from '../../orders/routes-without-suppliers.ts'
import type { Db, Tx } from '../../platform/database/database.ts'
import { rowsOf } from '../../platform/database/rows-of.ts'
import { type Refusal, refusals } from '../../platform/http/refusals.ts'
import { readSetting } from '../../platform/settings/settings.ts'
import { afaFees } from './afa.settings.ts'

/** The operator's people fulfil these orders (decision S4: AFA is fulfilled by people). */
export const afaRoute = manualRoute('afa')

/** A requested registration. The person's data is sealed before the transaction; only the phone is readable here. */
export type AfaRequest = {
  /** 10 digits starting with 0. */
  readonly phone: string
  readonly sealedIdentity: string
  /** Refusal of the switch, if it is off. A used reference is refused first. */
  readonly refusalIfNew: Refusal | undefined
}

type AfaRead = Readonly<Record<Role, Pesewas>>

export async function readFee(db: Db | Tx, role: Role): Promise<Pesewas> {
  const fee = pesewasFromGhs(await readSetting(db, afaFees[role]))
  if (fee === undefined) throw new Error(`the setting ${afaFees[role].name} is no amount`)
  return fee
}

async function readFees(db: Db | Tx): Promise<AfaRead> {
  return {
    customer: await readFee(db, 'customer'),
    agent: await readFee(db, 'agent'),
    dealer: await readFee(db, 'dealer'),
  }
}

export async function listAfaFees(db: Db) {
  return [{ name: 'AFA registration', prices: await readFees(db) }]
}

/** AFA registrations, as the intake sees them: the role's fee, and a row of identity data beside the order. */
export const afaKind: OrderKind<AfaRequest, AfaRead> = {
  name: 'afa',
  unit: 'pesewas',
  insufficientFunds: refusals.insufficientFunds,
  read: readFees,
  decide({ request }, { account }, fees) {
    if (request.refusalIfNew) return { refusal: request.refusalIfNew }
    return {
      status: 'pending',
      price: fees[account.pricingRole],
      recipient: request.phone,
      route: afaRoute,
      details: {},
    }
  },
  fork: (fees) => fees,
  take: () => undefined,
  async write(tx, accepted) {
    await sql`
      insert into afa_registrations ${rowsOf(accepted, {
        order_id: ['uuid', ({ orderId }) => orderId],
        identity: ['text', ({ request }) => request.sealedIdentity],
      }).forInsert()}`.execute(tx)
  },
}
