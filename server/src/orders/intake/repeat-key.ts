import type { OrderItem } from '../order-kind.ts'

/**
 * What an item is recognised by, as one text over all name spaces; undefined when it is recognised by
 * nothing. Account ids and services hold no colon, so no two references can meet in one text.
 */
export function repeatKeyOf(item: Pick<OrderItem, 'accountId' | 'reference' | 'repeatKey'>): string | undefined {
  const { repeatKey } = item
  if (!repeatKey) return sharedKeyOf(item.reference)
  return repeatKey.scope === 'none' ? undefined : accountKeyOf(item.accountId, repeatKey.service, repeatKey.reference)
}

/** The same for a reference in the one name space of all accounts. */
export function sharedKeyOf(reference: string): string {
  return `shared:${reference}`
}

/** The same for a reference of an account's own. */
export function accountKeyOf(accountId: string, service: string, reference: string): string {
  return `account:${accountId}:${service}:${reference}`
}
