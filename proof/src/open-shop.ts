import type { Installation } from './installation.ts'

/** A reseller of an installation, made with the command line. */
export type Shop = { readonly accountId: string; readonly keyId: string; readonly key: string }

/** A shop that also sells airtime and pays bills. */
export type CommissionShop = Shop & { readonly commissionKey: string }

export type ShopOptions = { readonly name: string; readonly fundsGhs?: string }

type MadeKey = { key_id: string; key: string }

const makeKey = (installation: Installation, accountId: string, type: 'standard' | 'commission') =>
  installation.command<MadeKey>('key', 'create', '--account', accountId, '--type', type)

/** Makes a lifetime agent's account with a standard key and, if `fundsGhs` is given, money. */
export async function openShop(installation: Installation, options: ShopOptions): Promise<Shop> {
  const { name, fundsGhs } = options
  const words = ['account', 'create', '--email', `${name}@proof.test`, '--name', name, '--role', 'agent']
  const { account_id: accountId } = await installation.command<{ account_id: string }>(...words)
  const [key] = await Promise.all([
    makeKey(installation, accountId, 'standard'),
    fundsGhs === undefined ? undefined : installation.command('wallet', 'credit', '--account', accountId, '--amount', fundsGhs),
  ])
  return { accountId, keyId: key.key_id, key: key.key }
}

export async function openCommissionShop(installation: Installation, options: ShopOptions): Promise<CommissionShop> {
  const shop = await openShop(installation, options)
  const { key } = await makeKey(installation, shop.accountId, 'commission')
  return { ...shop, commissionKey: key }
}

/** A reseller of SMS, made with the command line. */
export type SmsShop = { readonly accountId: string; readonly key: string }

export async function openSmsShop(installation: Installation, options: { name: string; credits: number }): Promise<SmsShop> {
  const { name, credits } = options
  const words = ['account', 'create', '--email', `${name}@proof.test`, '--name', name, '--role', 'agent', '--business']
  const { account_id: accountId } = await installation.command<{ account_id: string }>(...words)
  const [{ key }] = await Promise.all([
    installation.command<{ key: string }>('key', 'create', '--account', accountId, '--type', 'sms'),
    installation.command('sms', 'credit', '--account', accountId, '--credits', String(credits)),
  ])
  return { accountId, key }
}

/** Far more requests a minute than any run sends. */
const perMinute = 1_000_000

const endpoints = [
  'POST /airtime/purchase',
  'GET /airtime/orders/{reference}',
  'POST /utilities/pay',
  'GET /utilities/orders/{reference}',
] as const

/** Raises the rate limits for a run with airtime and bills. Every process applies them within a second. */
export async function liftRateLimits(installation: Installation): Promise<void> {
  const limits = Object.fromEntries(endpoints.map((endpoint) => [endpoint, perMinute]))
  await installation.command('setting', 'set', 'rate_limits', JSON.stringify(limits))
}
