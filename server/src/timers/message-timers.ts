import type { Logger } from 'pino'
import { findContacts } from '../accounts/notices/notify-accounts.ts'
import { watchLowBalances } from '../accounts/notices/watch-low-balances.ts'
import { watchRoleExpiries } from '../accounts/notices/watch-role-expiries.ts'
import type { Config } from '../config.ts'
import type { MessageTransports } from '../notices/message-transports.ts'
import { type ComposeCourtesy, isCourtesyWaiting, sendCourtesyNotices } from '../notices/send-courtesy-notices.ts'
import { mailServerOf } from '../notices/send-mail.ts'
import { isResellerNoticeWaiting, sendResellerNotices } from '../notices/send-reseller-notices.ts'
import type { Db } from '../platform/database/database.ts'
import type { Timer } from '../platform/housekeeping/run-timers.ts'
import type { SecretsKeys } from '../platform/secrets/secrets-keys.ts'
import type { ProductInWorker } from '../products/product.ts'
import { pushTimers } from './push-timers.ts'

type MessageWork = { readonly db: Db; readonly log: Logger; readonly secretsKeys: SecretsKeys }

function composeCourtesyOf(products: readonly ProductInWorker[]): ComposeCourtesy {
  return async (orderId, channel) => {
    for (const { composeCourtesy } of products) {
      const message = await composeCourtesy?.(orderId, channel)
      if (message) return message
    }
    return undefined
  }
}

/** Returns a function that finds this process's present means of sending messages, because an SMS link may come and go. */
export function transportsOf(config: Config, products: readonly ProductInWorker[]): () => MessageTransports {
  return () => ({
    mailServer: mailServerOf(config),
    sms: products.map((product) => product.courtesySms?.()).find((way) => way !== undefined),
  })
}

/** The timers that send messages to the recipients of orders, and to resellers. The workers share the messages. */
export function messageTimers(
  config: Config,
  { db, log, secretsKeys }: MessageWork,
  products: readonly ProductInWorker[],
): Timer[] {
  const compose = composeCourtesyOf(products)
  const { publicUrl } = config
  const findTransports = transportsOf(config, products)
  return [
    {
      name: 'courtesy messages',
      everySeconds: 2,
      isExclusive: false,
      isDue: isCourtesyWaiting,
      run: () => sendCourtesyNotices({ db, log, compose, ...findTransports() }),
    },
    {
      name: 'notices to resellers',
      everySeconds: 5,
      isExclusive: false,
      isDue: isResellerNoticeWaiting,
      run: () => sendResellerNotices({ db, log, findContacts, publicUrl, ...findTransports() }),
    },
    ...pushTimers({ db, log, secretsKeys, publicUrl }),
    { name: 'low balances', everySeconds: 30, isExclusive: true, run: () => watchLowBalances(db) },
    { name: 'role expiries', everySeconds: 600, isExclusive: true, run: () => watchRoleExpiries(db) },
  ]
}
