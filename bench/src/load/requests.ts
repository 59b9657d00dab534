import { emptyRoutePath } from '../baselines/empty-route.ts'
import { knownNumber, type ShopAccount } from '../open-shop.ts'
import type { LoadRequest } from './load.ts'

const prefix = '/api/v2'

/** Makes a request from its number in the run. */
export type RequestMaker = (index: number) => LoadRequest

/** References stay used for ever, so every run and every request has its own. */
const run = Date.now().toString(36)
let references = 0
function newReference(): string {
  references += 1
  return `${run}-${references}`
}

const bundles = {
  /** MTN requires a registered number. */
  MTN: { network: 'MTN', volume_gb: 1, recipient: knownNumber },
  Telecel: { network: 'Telecel', volume_gb: 1, recipient: '0201234567' },
} as const

/** Count of the numbers made for this run. No registry was asked about them before, and none has a scripted ending. */
let unknownNumbers = 0
function unknownNumber(): string {
  unknownNumbers += 1
  return `054${String(Math.floor(unknownNumbers / 900)).padStart(4, '0')}${String(unknownNumbers % 900).padStart(3, '0')}`
}

const keyOf = (accounts: readonly ShopAccount[], index: number) => accounts[index % accounts.length]?.key ?? ''

/** Purchases of one bundle, by these accounts in turn. */
export function purchases(accounts: readonly ShopAccount[], network: keyof typeof bundles = 'MTN'): RequestMaker {
  return (index) => ({
    path: `${prefix}/data/purchase`,
    key: keyOf(accounts, index),
    body: { ...bundles[network], reference: newReference() },
  })
}

/** Purchases for unknown MTN numbers, so that the registries are asked. */
export function purchasesForUnknown(accounts: readonly ShopAccount[]): RequestMaker {
  return (index) => ({
    path: `${prefix}/data/purchase`,
    key: keyOf(accounts, index),
    body: { ...bundles.MTN, recipient: unknownNumber(), reference: newReference() },
  })
}

/** Asks both registries of the simulator about an unknown number. */
export function registryQuestions(): LoadRequest[] {
  const number = unknownNumber()
  return [1, 2].map((server) => ({
    path: `/registration/${server}/registrations/${number}`,
    keyHeader: 'x-api-key',
    key: 'simulated-registration-key',
  }))
}

/** Purchases that are validated and answered by a route that does nothing. */
export function emptyPurchases(accounts: readonly ShopAccount[], path = `${prefix}${emptyRoutePath}`): RequestMaker {
  return (index) => ({ path, key: keyOf(accounts, index), body: { ...bundles.MTN, reference: newReference() } })
}

/** The most orders of one call. */
export const ordersInBulk = 100

export function bulkPurchases(accounts: readonly ShopAccount[]): RequestMaker {
  return (index) => ({
    path: `${prefix}/data/bulk`,
    key: keyOf(accounts, index),
    body: { orders: Array.from({ length: ordersInBulk }, () => ({ ...bundles.MTN, reference: newReference() })) },
  })
}

export function packageReads(accounts: readonly ShopAccount[]): RequestMaker {
  return (index) => ({ path: `${prefix}/packages`, key: keyOf(accounts, index) })
}

export function orderReads(account: ShopAccount, placed: readonly string[]): RequestMaker {
  return (index) => ({ path: `${prefix}/orders/${placed[index % placed.length]}`, key: account.key })
}
