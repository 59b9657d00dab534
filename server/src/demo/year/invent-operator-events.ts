import { isEnded } from '../../orders/order-life-cycle.ts'
import { afaRegions } from '../../products/afa/afa.schemas.ts'
import { sealIdentity } from '../../products/afa/seal-identity.ts'
import { hashVoucher, sealVoucher } from '../../products/results-checker/seal-voucher.ts'
import type { Chance } from './chance.ts'
import { complete, type DemoOrder, decide, isAfterHistory, move, postRefund } from './invent-order.ts'

const minute = 60_000
const day = 24 * 60 * minute

/** How long the operator keeps the identity data of ended applications. */
const identityMilliseconds = 180 * day

export type BoughtVouchers = {
  readonly type: { readonly id: string; readonly name: string }
  readonly quantity: number
  /** How many vouchers earlier orders bought. */
  readonly soldBefore: number
}

/** Adds the vouchers that an order bought. The purchase itself completed the order. */
export function addSoldVouchers(order: DemoOrder, bought: BoughtVouchers): void {
  const { chance, secretsKeys } = order.history
  const { type, quantity, soldBefore } = bought
  const importedAt = order.at - chance.between(1, 20) * day
  for (let no = soldBefore; no < soldBefore + quantity; no += 1) {
    const id = chance.idAt(importedAt)
    const voucher = {
      pin: String((no * 7_919_000_003) % 1_000_000_000_000).padStart(12, '0'),
      serialNumber: `${type.name.slice(0, 3).toUpperCase()}-Y${String(no).padStart(8, '0')}`,
    }
    const sealed = sealVoucher(secretsKeys, id, voucher)
    const hashes = hashVoucher(secretsKeys, voucher)
    order.history.add('vouchers', {
      id,
      type_id: type.id,
      pin: sealed.pin,
      pin_hash: Buffer.from(hashes.pins[0] ?? '', 'hex'),
      serial_number: sealed.serialNumber,
      serial_number_hash: Buffer.from(hashes.serialNumbers[0] ?? '', 'hex'),
      order_id: order.id,
      imported_at: new Date(importedAt),
      sold_at: new Date(order.at),
    })
  }
}

export function takeBackVouchers(order: DemoOrder): void {
  order.at += Math.round(day * (0.5 + 3 * order.history.chance.next()))
  const agreed = decide(order, 'order take-back', {}, 'the examination council cancelled the serial numbers')
  move(order, 'refunded', 'taken back by two people', agreed?.actor)
  postRefund(order)
}

export type AfaEnding = 'registered' | 'cancelled' | 'claimed' | 'unclaimed'

const applicants = ['Akosua Owusu', 'Kwame Boateng', 'Abena Sarpɔŋ', 'Yaw Darko', 'Efua Ɔforiwaa', 'Kojo Antwi']

function inventIdentity(chance: Chance, phone: string) {
  return {
    full_name: chance.pick(applicants),
    phone,
    id_type: 'Ghana Card' as const,
    id_number: `GHA-${String(chance.between(0, 999_999_999)).padStart(9, '0')}-${chance.between(0, 9)}`,
    date_of_birth: `${chance.between(1960, 2003)}-0${chance.between(1, 9)}-1${chance.between(0, 9)}`,
    region: chance.pick(afaRegions),
    location: chance.pick(['Madina', 'Kasoa', 'Asokwa', 'Takoradi', 'Tamale']),
  }
}

/** Invents the life of an AFA application. The operator's staff work on it at their own pace. */
export function inventApplicationEvents(order: DemoOrder, ending: AfaEnding): void {
  const { history, id, sale } = order
  const { chance, until, secretsKeys } = history
  const by = chance.pick(['ama', 'esi'])
  const log = (action: string) => {
    if (!isAfterHistory(order)) history.log({ at: order.at, actor: by, action, subject: order.reference, details: {} })
  }
  let claimedAt: number | undefined
  if (ending !== 'unclaimed') {
    order.at += chance.delay(5 * 60 * minute)
    move(order, 'processing', null, by)
    log('afa claim')
    if (!isAfterHistory(order)) claimedAt = order.at
  }
  if (ending === 'registered' || ending === 'cancelled') order.at += chance.delay(90 * minute)
  if (ending === 'registered') {
    complete(order, 'registered with MTN', by)
    log('afa complete')
  }
  if (ending === 'cancelled') {
    move(order, 'cancelled', 'the card number does not fit the name', by)
    log('afa cancel')
    postRefund(order)
  }
  const isPurged = isEnded(order.status) && order.at + identityMilliseconds < until
  history.add('afa_registrations', {
    order_id: id,
    identity: isPurged ? null : sealIdentity(secretsKeys, id, inventIdentity(chance, sale.recipient)),
    claimed_by: claimedAt === undefined ? null : by,
    claimed_at: claimedAt === undefined ? null : new Date(claimedAt),
    purged_at: isPurged ? new Date(order.at + identityMilliseconds) : null,
    created_at: new Date(sale.at),
  })
}
