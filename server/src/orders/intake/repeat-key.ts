import type { OrderItem } from '../order-kind.ts'

/**
 * The key of an item's repeats, as one text for all name spaces. Undefined when it has none. Account ids and names of
 * services hold no colon, so two references can never make the same text.
 */
export function repeatKeyOf(item: Pick<OrderItem, 'accountId' | 'reference' | 'repeatKey'>): string | undefined {
  const { repeatKey } = item
  if (!repeatKey) return sharedKeyOf(item.reference)
  return repeatKey.scope === 'none' ? undefined : accountKeyOf(item.accountId, repeatKey.service, repeatKey.reference)
}

/** The key of a reference in the name space that all accounts share. */
export function sharedKeyOf(reference: string): string {
  return `shared:${reference}`
}

/** The key of a reference that is an account's own. */
export function accountKeyOf(accountId: string, service: string, reference: string): string {
  return `account:${accountId}:${service}:${reference}`
}
