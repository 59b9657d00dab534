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
