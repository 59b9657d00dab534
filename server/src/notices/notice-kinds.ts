/**
 * The kinds of notices to accounts. An account may switch off the SMS of every kind, and the mail of some. Notices about keys
 * always go by mail, because an intruder may have made the key.
 */
export const noticeKinds = {
  low_balance: { mayMute: true },
  order_refunded: { mayMute: true },
  report_answered: { mayMute: true },
  problem_answered: { mayMute: true },
  role_expires: { mayMute: true },
  campaign_stopped: { mayMute: true },
  sender_approved: { mayMute: true },
  sender_rejected: { mayMute: true },
  business_approved: { mayMute: true },
  business_declined: { mayMute: true },
  top_up_credited: { mayMute: true },
  top_up_declined: { mayMute: true },
  floor_asked: { mayMute: true },
  floor_not_asked: { mayMute: true },
  webhook_paused: { mayMute: true },
  key_approved: { mayMute: false },
  key_revoked: { mayMute: false },
} as const satisfies Record<string, { readonly mayMute: boolean }>

export type NoticeKind = keyof typeof noticeKinds

/** A notice over one channel, such as `order_refunded/email`, that an account switched off. */
export type MutedNotice = `${NoticeKind}/${'email' | 'sms'}`

/** All notices that an account may switch off: any SMS, and the mails that may be left out. */
export const mutableNotices: readonly MutedNotice[] = (Object.keys(noticeKinds) as NoticeKind[]).flatMap((kind) => [
  ...(noticeKinds[kind].mayMute ? [`${kind}/email` as const] : []),
  `${kind}/sms` as const,
])
