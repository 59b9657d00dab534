import type { Logger } from 'pino'
import { forgettingOfProblems } from '../accounts/problems/forget-problems.ts'
import { forgettingOfCalls } from '../accounts/request-log/record-calls.ts'
import { forgettingOfPayers } from '../money/top-ups/forget-payers.ts'
import { forgettingOfNotices } from '../notices/forget-notices.ts'
import { forgettingsOfWebhooks } from '../notices/webhooks/deliveries.ts'
import { forgettingOfEvidence, forgettingOfOrders, type RecipientHash } from '../orders/forgetting/forget-orders.ts'
import { forgettingTimer } from '../platform/forgetting/forget-old-data.ts'
import type { BackgroundShare } from '../platform/housekeeping/background-share.ts'
import type { Timer } from '../platform/housekeeping/run-timers.ts'
import type { ProductInWorker } from '../products/product.ts'
import { erasureTimer } from './erasures.ts'
import type { PersonalDeps } from './find-personal-data.ts'
import { forgettingOfKeyAddresses, forgettingOfSignInAddresses } from './forget-addresses.ts'

type Work = PersonalDeps & { readonly log: Logger; readonly share: BackgroundShare; readonly recipientHash: RecipientHash }

/** The timers that forget old personal data, and carry out the erasures that two people agreed to. */
export function personalTimers({ recipientHash, ...work }: Work, products: readonly ProductInWorker[]): Timer[] {
  const forgettings = [
    forgettingOfCalls,
    forgettingOfOrders(recipientHash),
    forgettingOfEvidence,
    forgettingOfNotices,
    ...forgettingsOfWebhooks,
    forgettingOfProblems,
    forgettingOfPayers,
    forgettingOfKeyAddresses,
    forgettingOfSignInAddresses,
    ...products.flatMap((product) => product.forgettings ?? []),
  ]
  return [forgettingTimer(work, forgettings), erasureTimer(work)]
}
