import { readManyDetails } from '../../orders/create-details-reader.ts'
import type { Fulfilment } from '../../orders/fulfilment.ts'
import type { Order } from '../../orders/order.ts'
import type { Db } from '../../platform/database/database.ts'
import { cachedByEpoch, type Epoch } from '../../platform/database/epoch.ts'
import { type Supplier, type SupplierAnswer, sellsData } from '../../suppliers/ports.ts'
import { readDataDetails } from './data.kind.ts'
import { closeOffer, type RefusedOffer } from './offers/close-offer.ts'
import { dataCostExpectation } from './offers/expect-data-cost.ts'

/** Suppliers' codes of packages, by `<package id>/<supplier>`. */
type OfferCodes = ReadonlyMap<string, string>

async function readOfferCodes(db: Db): Promise<OfferCodes> {
  const offers = await db.selectFrom('package_offers').select(['package_id', 'supplier', 'code']).execute()
  return new Map(offers.map((offer) => [offerKey(offer.package_id, offer.supplier), offer.code]))
}

function offerKey(packageId: string, supplier: string): string {
  return `${packageId}/${supplier}`
}

/** Suppliers that offer the package of each order, by order id. */
export async function listDataSuppliers(db: Db, orders: readonly Order[]): Promise<Map<string, ReadonlySet<string>>> {
  const details = readManyDetails(orders, readDataDetails)
  if (details.size === 0) return new Map()
  const offers = await db
    .selectFrom('package_offers')
    .select(['package_id', 'supplier'])
    .where('package_id', 'in', [...new Set([...details.values()].map(({ packageId }) => packageId))])
    .where('closed_at', 'is', null)
    .execute()
  const suppliersOf = Map.groupBy(offers, (offer) => offer.package_id)
  return new Map(
    [...details].map(([order, { packageId }]) => {
      const ofPackage = suppliersOf.get(packageId) ?? []
      return [order.id, new Set(ofPackage.map((offer) => offer.supplier))]
    }),
  )
}

/**
 * A refusal of the request is our mistake, because everything in it except the recipient comes from us. Closes the offer
 * before the order goes to another supplier. If closing fails, the next refused order tries it again.
 */
async function answerRefusedRequest(
  db: Db,
  answer: SupplierAnswer,
  offer: Omit<RefusedOffer, 'because'>,
): Promise<SupplierAnswer> {
  const { evidence } = answer
  const failure = await closeOffer(db, { ...offer, because: evidence }).then(
    () => '',
    (error: unknown) => ` (its offer could not be closed: ${error instanceof Error ? error.message : String(error)})`,
  )
  return { ...answer, meaning: 'rejected_request', isOurMistake: true, evidence: `${evidence}${failure}` }
}

/** Fulfils data bundles through any supplier of data that offers the package. */
export function createDataFulfilment(db: Db, epoch: Pick<Epoch, 'current'>): Fulfilment {
  const offerCodes = cachedByEpoch(epoch, () => readOfferCodes(db))
  return {
    product: 'data',
    titleOf: (order) => {
      const { network, size } = readDataDetails(order)
      return `${network} ${size}`
    },
    costs: dataCostExpectation,
    listCapableSuppliers: listDataSuppliers,
    async send(supplier: Supplier, order, attempt, signal) {
      const details = readDataDetails(order)
      if (!sellsData(supplier)) {
        return { meaning: 'rejected_platform', cause: 'disabled', evidence: `${supplier.name} does not sell data bundles` }
      }
      const codes = await offerCodes('').catch((error: unknown) => String(error))
      // The request was not sent. After any other answer the supplier would be asked about an order that it never got.
      if (typeof codes === 'string')
        return { meaning: 'not_sent', evidence: `our own list of offers could not be read: ${codes}` }
      const packageCode = codes.get(offerKey(details.packageId, supplier.name))
      // The offer was removed after the order was claimed. Nothing was sent, and the order is planned again.
      if (packageCode === undefined) {
        return { meaning: 'not_sent', evidence: `${supplier.name} does not offer ${details.size} on ${details.network} any more` }
      }
      const request = { network: details.network, volumeGb: details.volumeGb, recipient: order.recipient, packageCode }
      const answer = await supplier.buyData(request, attempt, signal)
      if (answer.meaning !== 'rejected_request') return answer
      return answerRefusedRequest(db, answer, { packageId: details.packageId, supplier: supplier.name, code: packageCode })
    },
  }
}
