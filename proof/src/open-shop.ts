import type { Installation } from './installation.ts'

/** A reseller of an installation, made with the command line. */
export type Shop = { readonly accountId: string; readonly keyId: string; readonly key: string }

export type ShopOptions = { readonly name: string; readonly fundsGhs?: string }

/** Makes a lifetime agent's account with a standard key and money. */
export async function openShop(installation: Installation, options: ShopOptions): Promise<Shop> {
  const { name, fundsGhs } = options
  const words = ['account', 'create', '--email', `${name}@proof.test`, '--name', name, '--role', 'agent']
  const { account_id: accountId } = await installation.command<{ account_id: string }>(...words)
  const [key] = await Promise.all([
    installation.command<{ key_id: string; key: string }>('key', 'create', '--account', accountId, '--type', 'standard'),
    fundsGhs === undefined ? undefined : installation.command('wallet', 'credit', '--account', accountId, '--amount', fundsGhs),
  ])
  return { accountId, keyId: key.key_id, key: key.key }
}
