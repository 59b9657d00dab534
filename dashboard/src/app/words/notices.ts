import type { Schema } from '../../both/api/call-api.ts'
import { inLanguage } from '../../languages/in-language.ts'

export type NoticeKind = Schema<'NoticeChoices'>['kinds'][number]['kind']

export const kindWords: Readonly<Record<NoticeKind, string>> = inLanguage('kindWords', {
  low_balance: 'Your balance is low',
  webhook_paused: 'A webhook endpoint is paused',
  order_refunded: 'An order older than a day was refunded',
  report_answered: 'A report of yours was answered',
  problem_answered: 'A problem that you reported was answered',
  role_expires: 'Your role ends soon',
  campaign_stopped: 'We paused or cancelled a campaign',
  sender_approved: 'A sender ID was approved',
  sender_rejected: 'A sender ID was rejected',
  business_approved: 'Your account became a business',
  business_declined: 'Your request to become a business was declined',
  top_up_credited: 'A transfer of yours was confirmed',
  top_up_declined: 'A top-up of yours was declined',
  floor_asked: 'Your phone is asked for a top-up',
  floor_not_asked: 'Your phone could not be asked for a top-up',
  key_approved: 'A key was approved',
  key_revoked: 'A key was revoked',
})

export const noticeWords = inLanguage('noticeWords', {
  lowBalance: 'Tell me when the balance is below',
  lowBalanceHint: 'In GHS. Leave it empty for never.',
  phone: 'Phone for SMS',
  phoneHint: 'Leave it empty for no SMS.',
  smsOff: 'We send no SMS at the moment. Mails go to',
  mailsTo: 'Mails go to',
  choices: 'Choose what we tell you',
  what: 'What to tell you',
  mail: 'Mail',
  always: 'Always by mail, for your safety',
  saved: 'Saved',
  sent: 'What we told you',
  none: 'Nothing yet',
  noneNext: 'What we mail or text to you about your account is kept here.',
  more: 'Show older notices',
})

export const pushWords = inLanguage('pushWords', {
  title: 'On this device',
  lead: 'This device can tell you at once, also when the app is closed. It shows no amounts, no names and no whole numbers. The service of your browser carries the message and cannot read it. It ends when you sign out.',
  what: 'What to tell',
  kinds: {
    delivered: 'An order that was bought in the app is delivered',
    failed: 'An order that was bought in the app is not delivered',
    credited: 'A top-up is in the wallet',
  } satisfies Readonly<Record<Schema<'PushDevice'>['kinds'][number], string>>,
  on: 'Tell me on this device',
  isOn: 'This device tells you',
  off: 'Stop telling me here',
  nothing: 'Choose at least one, or switch it off.',
  denied: 'Your browser does not allow it. Allow notices for this site in the settings of the browser, then try again.',
  notReady: 'The app is not ready for it. Load the page again, then try again.',
  noService: 'The service of your browser was not reached. Try again when you have a connection.',
  impossible: 'This browser cannot do it. On an iPhone, add the app to the home screen first, and open it there.',
})
