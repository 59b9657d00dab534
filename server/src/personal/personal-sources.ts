import { accountsOfPerson } from '../accounts/forgetting/accounts-of-a-person.ts'
import { problemsOfPerson } from '../accounts/problems/forget-problems.ts'
import { floorsOfPerson } from '../money/top-ups/balance-floors.ts'
import { topUpsOfPerson } from '../money/top-ups/forget-payers.ts'
import { numbersOfPerson } from '../networks/find-ported-numbers.ts'
import { noticesOfPerson } from '../notices/forget-notices.ts'
import type { RecipientHash } from '../orders/forgetting/forget-orders.ts'
import { ordersOfPerson } from '../orders/forgetting/orders-of-a-person.ts'
import { phonesOfPerson } from '../people/phone/own-phone.ts'
import { historyOfPerson } from '../platform/forgetting/history-of-a-person.ts'
import type { PersonalSource } from '../platform/forgetting/personal-source.ts'
import { products } from '../products/products.ts'
import { customersOfPerson } from '../reselling/customers/customers.ts'

/** Every table that is searched for a person's number or e-mail address, in the order in which they are shown and erased. */
export function personalSources(hash: RecipientHash): readonly PersonalSource[] {
  return [
    ...products.flatMap((product) => product.personalSources?.(hash) ?? []),
    ...ordersOfPerson(hash),
    topUpsOfPerson,
    floorsOfPerson,
    phonesOfPerson,
    noticesOfPerson,
    problemsOfPerson,
    customersOfPerson,
    ...accountsOfPerson,
    ...numbersOfPerson,
    ...historyOfPerson,
  ]
}
