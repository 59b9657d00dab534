import type { Adapter } from './adapter.ts'
import { datakazina } from './datakazina/talk.ts'
import { datamart } from './datamart/talk.ts'
import { hubtel } from './hubtel/talk.ts'
import { registration } from './registration/talk.ts'
import { smpp } from './smpp/talk.ts'

/**
 * All adapters, by the name in `suppliers.adapter`. DataMart and DataKazina sell data bundles; Hubtel sells data
 * bundles and airtime, and pays bills; `smpp` sends SMS; `registration` registers numbers.
 */
export const adapters: Readonly<Record<string, Adapter>> = { datamart, datakazina, hubtel, registration, smpp }
