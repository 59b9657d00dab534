import type { components } from '../api/dashboard-api.d.ts'
import type { Tone } from '../list/state.tsx'

type State = components['schemas']['DeskCampaign']['state']

export const campaignStates: Readonly<Record<State, { readonly word: string; readonly tone: Tone }>> = {
  scheduled: { word: 'Scheduled', tone: 'wait' },
  queued: { word: 'Waiting', tone: 'wait' },
  sending: { word: 'Leaving', tone: 'wait' },
  paused: { word: 'Paused', tone: 'wait' },
  sent: { word: 'Sent', tone: 'done' },
  failed: { word: 'Failed', tone: 'fail' },
  cancelling: { word: 'Stopping', tone: 'wait' },
  cancelled: { word: 'Cancelled', tone: 'plain' },
  blocked: { word: 'Blocked', tone: 'fail' },
}

/** The parts of a delivery bar. */
export const deliveryWords = {
  delivered: 'delivered',
  sent: 'on the way',
  queued: 'not left yet',
  failed: 'did not arrive',
} as const
