import type { Schema } from '../../both/api/call-api.ts'

export type NoticeKind = Schema<'NoticeChoices'>['kinds'][number]['kind']

export const kindWords: Readonly<Record<NoticeKind, string>> = {
  low_balance: 'Your balance is low',
  order_refunded: 'An order older than a day was refunded',
  report_answered: 'A report of yours was answered',
  problem_answered: 'A problem that you reported was answered',
  role_expires: 'Your role ends soon',
  campaign_stopped: 'The operator paused or cancelled a campaign',
  sender_approved: 'A sender was approved',
  sender_rejected: 'A sender was rejected',
  business_approved: 'Your account became a business',
  business_declined: 'Your request to become a business was declined',
  top_up_credited: 'A transfer of yours was confirmed',
  top_up_declined: 'A top-up of yours was declined',
  key_approved: 'A key was approved',
  key_revoked: 'A key was revoked',
}

export const noticeWords = {
  lowBalance: 'Tell me when the balance is below',
  lowBalanceHint: 'In GHS. Empty: never.',
  phone: 'Phone for SMS',
  phoneHint: 'Empty: no SMS.',
  smsOff: 'The operator sends no SMS at the moment. Mails go to',
  mailsTo: 'Mails go to',
  what: 'What to tell',
  mail: 'Mail',
  always: 'Always by mail, for your safety',
  saved: 'Saved',
  sent: 'What you were told',
  none: 'Nothing yet',
  noneNext: 'What we mail or text to you about your account is kept here.',
  more: 'Show older notices',
} as const
