import { afa } from './afa/afa.product.ts'
import { airtime } from './airtime/airtime.product.ts'
import { data } from './data/data.product.ts'
import type { Product } from './product.ts'
import { resultsChecker } from './results-checker/results-checker.product.ts'
import { sms } from './sms/sms.product.ts'
import { utilities } from './utilities/utilities.product.ts'

/** All products, in the order of the documentation. */
export const products: readonly Product[] = [data, airtime, resultsChecker, afa, sms, utilities]
