import type { ResellerNotice } from '../../notices/queue-notices.ts'
import { newId } from '../../platform/database/new-id.ts'

const pauseReasons = {
  failing: 'It has not taken an event for 72 hours.',
  gone: 'It answered 410, which means that it is gone for good.',
} as const

/** The notice that an endpoint for webhooks was paused. It names the host alone, because the rest of an address may be secret. */
export function webhookPausedNotice(paused: {
  readonly accountId: string
  readonly endpointId: string
  readonly host: string
  readonly reason: keyof typeof pauseReasons
}): ResellerNotice {
  const { accountId, endpointId, host, reason } = paused
  return {
    accountId,
    kind: 'webhook_paused',
    about: `${endpointId} ${newId()}`,
    subject: `Your webhook endpoint at ${host} is paused`,
    text: `We send no more events to ${host}. ${pauseReasons[reason]} Its events are kept for 30 days.\n\nWhat to do: repair it, then resume it in the app under Developer, Webhooks. What waits is sent then.`,
    sms: `Your webhook endpoint at ${host} is paused: ${pauseReasons[reason]} Repair it and resume it in the app.`,
  }
}
