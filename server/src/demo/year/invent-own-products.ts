import { afaRegions } from '../../products/afa/afa.schemas.ts'
import { sealIdentity } from '../../products/afa/seal-identity.ts'
import type { DemoVoucherType, DemoWorld } from './demo-world.ts'
import { completeOrder } from './invent-attempt.ts'
import { type DemoSale, inventOrder, returnPrice } from './invent-order.ts'

const minute = 60_000
const day = 24 * 60 * minute

/** How long the operator keeps the identity data of ended applications. */
const identityMilliseconds = 180 * day

export type VoucherEnding = 'sold' | 'taken_back'

/** Invents a purchase of vouchers, which ends at once. Two people take some of them back. */
export function inventVouchers(
  world: DemoWorld,
  sale: DemoSale,
  bought: { readonly type: DemoVoucherType; readonly quantity: number; readonly firstNo: number },
  ending: VoucherEnding,
): void {
  const { chance, rows } = world
  const { type, quantity, firstNo } = bought
  const order = inventOrder(world, sale, 'completed')
  const importedAt = sale.at - chance.between(1, 20) * day
  for (let no = firstNo; no < firstNo + quantity; no += 1) {
    const pin = String((no * 7_919_000_003) % 1_000_000_000_000).padStart(12, '0')
    const serialNumber = `${type.name.slice(0, 3).toUpperCase()}-Y${String(no).padStart(8, '0')}`
    rows.vouchers.push({
      id: chance.idAt(importedAt),
      typeId: type.id,
      orderId: sale.id,
      pin,
      serialNumber,
      importedAt,
      soldAt: sale.at,
    })
  }
  if (ending === 'taken_back') {
    const at = sale.at + Math.round(day * (0.5 + 3 * chance.next()))
    order.step(at, () => {
      const confirmed = { proposedBy: 'ama', proposedAt: at - 30 * minute, confirmedBy: 'kofi', confirmedAt: at }
      const evidence = 'the examination council cancelled the serial numbers'
      const id = chance.idAt(at - 30 * minute)
      const about = { id, orderId: sale.id, reference: sale.reference, kind: 'order take-back', figures: {} } as const
      rows.proposals.push({ ...about, evidence, ...confirmed })
      rows.log.push({
        actor: 'kofi',
        action: 'order take-back confirm',
        subject: sale.reference,
        details: { as: 'refunded', evidence },
        at,
      })
      order.move(at, 'refunded', 'taken back by two people', 'ama and kofi')
      world.agenda.add(at, () => returnPrice(world, sale, at))
    })
  }
  order.end({ route: '', nextStepAt: null, attemptId: null, holdReason: null })
}

export type AfaEnding = 'registered' | 'cancelled' | 'claimed' | 'unclaimed'

const applicants = ['Akosua Owusu', 'Kwame Boateng', 'Abena Sarpɔŋ', 'Yaw Darko', 'Efua Ɔforiwaa', 'Kojo Antwi']

function inventIdentity(world: DemoWorld, sale: DemoSale) {
  const { chance } = world
  return {
    full_name: chance.pick(applicants),
    phone: sale.recipient,
    id_type: 'Ghana Card' as const,
    id_number: `GHA-${String(chance.between(0, 999_999_999)).padStart(9, '0')}-${chance.between(0, 9)}`,
    date_of_birth: `${chance.between(1960, 2003)}-0${chance.between(1, 9)}-1${chance.between(0, 9)}`,
    region: chance.pick(afaRegions),
    location: chance.pick(['Madina', 'Kasoa', 'Asokwa', 'Takoradi', 'Tamale']),
  }
}

/** Invents an AFA application. The operator's staff work on it at their own pace. */
export function inventApplication(world: DemoWorld, sale: DemoSale, ending: AfaEnding): void {
  const { chance, rows, until, secretsKeys } = world
  const order = inventOrder(world, sale, 'pending')
  const by = chance.pick(['ama', 'esi'])
  const claimedAt = sale.at + Math.round(chance.delay(5 * 60 * minute))
  const endedAt = claimedAt + Math.round(chance.delay(90 * minute))
  const act = (action: string, at: number) =>
    order.step(at, () => void rows.log.push({ actor: by, action, subject: sale.reference, details: {}, at }))
  const isClaimed = ending !== 'unclaimed' && order.move(claimedAt, 'processing', null, by) && act('afa claim', claimedAt)
  if (isClaimed && ending === 'registered') {
    completeOrder(world, order, { at: endedAt, reason: 'registered with MTN', actor: by, reportedCommission: null })
    act('afa complete', endedAt)
  }
  if (isClaimed && ending === 'cancelled' && order.move(endedAt, 'cancelled', 'the card number does not fit the name', by)) {
    act('afa cancel', endedAt)
    world.agenda.add(endedAt, () => returnPrice(world, sale, endedAt))
  }
  const isEnded = order.status === 'completed' || order.status === 'cancelled'
  const purgedAt = isEnded && endedAt + identityMilliseconds < until ? endedAt + identityMilliseconds : null
  const identity = purgedAt === null ? sealIdentity(secretsKeys, sale.id, inventIdentity(world, sale)) : null
  const claim = isClaimed ? { claimedBy: by, claimedAt } : { claimedBy: null, claimedAt: null }
  rows.afa.push({ orderId: sale.id, identity, ...claim, purgedAt, at: sale.at })
  order.end({ route: 'operator/afa', nextStepAt: null, attemptId: null, holdReason: null })
}
