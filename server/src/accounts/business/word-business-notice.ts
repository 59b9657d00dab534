import type { ResellerNotice } from '../../notices/queue-reseller-notices.ts'

export function businessApprovedNotice(accountId: string, requestId: string): ResellerNotice {
  return {
    accountId,
    kind: 'business_approved',
    about: requestId,
    subject: 'Your business was approved',
    text: 'Your account was approved as a business: it may send SMS.\n\nWhat to do: make an SMS key in the dashboard, or write your first message there.',
    sms: 'Your account was approved as a business: it may send SMS from now on.',
  }
}

/** An SMS has no room for the reason. */
export function businessDeclinedNotice(accountId: string, requestId: string, reason: string): ResellerNotice {
  return {
    accountId,
    kind: 'business_declined',
    about: requestId,
    subject: 'Your business was not approved',
    text: `Your request to be approved as a business was declined. The operator’s reason: ${reason}\n\nWhat to do: correct what the reason names, then ask again in the dashboard.`,
    sms: 'Your request to be approved as a business was declined. The reason stands in the dashboard.',
  }
}
