import type { Installation } from './installation.ts'

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
