import { inLanguage } from '../../languages/in-language.ts'
import type { components } from '../api/dashboard-api.d.ts'
import type { Tone } from '../list/state.tsx'

type MessageState = components['schemas']['SmsAppMessages']['messages'][number]['status']
type State = components['schemas']['DeskCampaign']['state']

export const campaignStates: Readonly<Record<State, { readonly word: string; readonly tone: Tone }>> = inLanguage(
  'campaignStates',
  {
    scheduled: { word: 'Scheduled', tone: 'wait' },
    queued: { word: 'Waiting', tone: 'wait' },
    sending: { word: 'Sending', tone: 'wait' },
    paused: { word: 'Paused', tone: 'wait' },
    sent: { word: 'Sent', tone: 'done' },
    failed: { word: 'Failed', tone: 'fail' },
    cancelling: { word: 'Stopping', tone: 'wait' },
    cancelled: { word: 'Cancelled', tone: 'plain' },
    blocked: { word: 'Blocked', tone: 'fail' },
  },
)

/** The parts of a delivery bar. */
export const deliveryWords = inLanguage('deliveryWords', {
  delivered: 'delivered',
  sent: 'on the way',
  queued: 'not sent yet',
  failed: 'not delivered',
})

export const messageStates: Readonly<Record<MessageState, { readonly word: string; readonly tone: Tone }>> = inLanguage(
  'messageStates',
  {
    queued: { word: 'Not sent yet', tone: 'wait' },
    sent: { word: 'On the way', tone: 'wait' },
    delivered: { word: 'Delivered', tone: 'done' },
    undelivered: { word: 'Not delivered', tone: 'fail' },
    failed: { word: 'Refused', tone: 'fail' },
    expired: { word: 'Not reached in time', tone: 'fail' },
    rejected: { word: 'Rejected', tone: 'fail' },
  },
)

/** The state of a message that was cancelled before it left, by who cancelled its campaign. */
export const cancelledStates: Readonly<
  Record<'account' | 'operator' | 'platform', { readonly word: string; readonly tone: Tone }>
> = inLanguage('cancelledStates', {
  account: { word: 'Not sent, you cancelled', tone: 'plain' },
  operator: { word: 'Not sent, we cancelled', tone: 'plain' },
  platform: { word: 'Not sent, cancelled', tone: 'plain' },
})

/** Why the platform itself cancelled a campaign. */
export const cancelReasons: Readonly<Record<string, string>> = inLanguage('cancelReasons', {
  account_suspended: 'The account was suspended when it should have left, so nothing was sent.',
  no_business_account: 'The account was no approved business any more when it should have left, so nothing was sent.',
  sender_not_approved: 'Its sender was not approved any more when it should have left, so nothing was sent.',
})
