export type Product = 'airtime' | 'data' | 'utilities'

/** One thing that Hubtel sells, under a service id. */
export type Service = {
  readonly id: string
  readonly product: Product
  /** The network or the biller. */
  readonly name: string
  /** The part of an amount that is the buyer's commission. */
  readonly commissionRate: number
}

const services: readonly Service[] = [
  { id: 'fdd76c884e614b1c8f669a3207b09a98', product: 'airtime', name: 'MTN', commissionRate: 0.03 },
  { id: 'f4be83ad74c742e185224fdae1304800', product: 'airtime', name: 'Telecel', commissionRate: 0.035 },
  { id: 'dae2142eb5a14c298eace60240c09e4b', product: 'airtime', name: 'AT', commissionRate: 0.04 },
  { id: 'b230733cd56b4a0fad820e39f66bc27c', product: 'data', name: 'MTN', commissionRate: 0.02 },
  { id: 'fa27127ba039455da04a2ac8a1613e00', product: 'data', name: 'Telecel', commissionRate: 0.02 },
  { id: '06abd92da459428496967612463575ca', product: 'data', name: 'AT', commissionRate: 0.02 },
  { id: 'e6d6bac062b5499cb1ece1ac3d742a84', product: 'utilities', name: 'ecg', commissionRate: 0.0125 },
  { id: '6c1e8a82d2e84feeb8bfd6be2790d71d', product: 'utilities', name: 'ghana_water', commissionRate: 0.0125 },
  { id: '297a96656b5846ad8b00d5d41b256ea7', product: 'utilities', name: 'dstv', commissionRate: 0.015 },
  { id: 'e6ceac7f3880435cb30b048e9617eb41', product: 'utilities', name: 'gotv', commissionRate: 0.015 },
  { id: '6598652d34ea4112949c93c079c501ce', product: 'utilities', name: 'startimes', commissionRate: 0.0175 },
]

const byId = new Map(services.map((service) => [service.id, service]))

export function findService(id: string): Service | undefined {
  return byId.get(id)
}

/** The commission as Hubtel writes it: GHS with 4 decimals, as text. */
export function commissionOf(service: Service, amountPesewas: number): string {
  return ((amountPesewas / 100) * service.commissionRate).toFixed(4)
}

/** A bundle as a query shows it. */
export type Bundle = {
  readonly display: string
  readonly value: string
  readonly capacity: number
  readonly pricePesewas: number
}

/** Pesewas for a GB: invented, about as high as real prices. */
const pesewasPerGigabyte: Readonly<Record<string, number>> = { MTN: 300, Telecel: 290, AT: 280 }
const sizes = [1, 2, 3, 5, 10, 20]

/** The bundles of a network. `Display` has blanks in unexpected places, as the real ones have. */
export function listBundles(network: string): Bundle[] {
  const price = pesewasPerGigabyte[network] ?? 500
  return sizes.map((capacity) => ({
    display: ` ${capacity} GB`,
    value: `data_${network.toLowerCase()}_${capacity}gb`,
    capacity,
    pricePesewas: capacity * price,
  }))
}

const unknownAccountEnding = '931'

/** Returns whether the biller has no account of this number (see the table of endings in the README). */
export function isUnknownAccount(number: string): boolean {
  return number.endsWith(unknownAccountEnding)
}

const names = ['AMA OWUSU', 'KOFI MENSAH', 'ABENA BOATENG', 'KWAME ASANTE', 'EFUA ANSAH', 'YAW DARKO']

/** The holder of an account, meter or smartcard. The same number always has the same name. */
export function accountHolder(number: string): string {
  return names[Number(number.replaceAll(/\D/g, '').slice(-6)) % names.length] ?? 'AMA OWUSU'
}
