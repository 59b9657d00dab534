import { readManyDetails } from '../../orders/create-details-reader.ts'
import type { Fulfilment } from '../../orders/fulfilment.ts'
import type { Order } from '../../orders/order.ts'
import type { Db } from '../../platform/database/database.ts'
import { cachedByEpoch, type Epoch } from '../../platform/database/epoch.ts'
import { type Supplier, type SupplierAnswer, sellsData } from '../../suppliers/ports.ts'
import { readDataDetails, titleOfBundle, volumeOf } from './data.kind.ts'
import { closeOffer, type RefusedOffer } from './offers/close-and-reopen-offer.ts'
import { dataCostExpectation, selectAllOffers, selectOffers } from './offers/offers-of-bundles.ts'

/** Suppliers' offers, by `<title of the package>/<supplier>`. */
type Offers = ReadonlyMap<string, { readonly packageId: string; readonly code: string }>

async function readOffers(db: Db): Promise<Offers> {
  const offers = await selectAllOffers(db).execute()
  return new Map(
    offers.map(({ title, supplier, package_id: packageId, code }) => [offerKey(title, supplier), { packageId, code }]),
  )
}

function offerKey(title: string, supplier: string): string {
  return `${title}/${supplier}`
}

/** Lists, by order id, the suppliers with an open offer of the order's package. */
export async function listDataSuppliers(db: Db, orders: readonly Order[]): Promise<Map<string, ReadonlySet<string>>> {
  const details = readManyDetails(orders, readDataDetails)
  if (details.size === 0) return new Map()
  const offers = await selectOffers(db, details.values().map(titleOfBundle)).where('closed_at', 'is', null).execute()
  const suppliersOf = Map.groupBy(offers, ({ title }) => title)
  return new Map(
    [...details].map(([order, bundle]) => {
      const ofPackage = suppliersOf.get(titleOfBundle(bundle)) ?? []
      return [order.id, new Set(ofPackage.map(({ supplier }) => supplier))]
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
  const knownOffers = cachedByEpoch(epoch, () => readOffers(db))
  return {
    product: 'data',
    titleOf: (order) => titleOfBundle(readDataDetails(order)),
    costs: dataCostExpectation,
    listCapableSuppliers: listDataSuppliers,
    async send(supplier: Supplier, order, attempt, signal) {
      const details = readDataDetails(order)
      if (!sellsData(supplier)) {
        return { meaning: 'rejected_platform', cause: 'disabled', evidence: `${supplier.name} does not sell data bundles` }
      }
      const offers = await knownOffers('').catch((error: unknown) => String(error))
      // The request was not sent. After any other answer the supplier would be asked about an order that it never got.
      if (typeof offers === 'string')
        return { meaning: 'not_sent', evidence: `our own list of offers could not be read: ${offers}` }
      const offer = offers.get(offerKey(titleOfBundle(details), supplier.name))
      // The offer was removed after the order was claimed. Nothing was sent, and the order is planned again.
      if (offer === undefined) {
        return { meaning: 'not_sent', evidence: `${supplier.name} does not offer ${details.size} on ${details.network} any more` }
      }
      const { network, size } = details
      const request = { network, volumeGb: volumeOf(size), recipient: order.recipient, packageCode: offer.code }
      const answer = await supplier.buyData(request, attempt, signal)
      if (answer.meaning !== 'rejected_request') return answer
      return answerRefusedRequest(db, answer, { ...offer, supplier: supplier.name })
    },
  }
}
