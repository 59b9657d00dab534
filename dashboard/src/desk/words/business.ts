import type { components } from '../../both/api/dashboard-api.d.ts'
import type { Tone } from '../../both/list/state.tsx'

type Request = components['schemas']['DeskBusinessRequest']

export const businessWords = {
  lead: 'An approved business sends SMS under its own names. Compare the registration number with the register first.',
  view: 'Which requests',
  waiting: 'Waiting',
  decided: 'Decided',
  name: 'Business',
  nothingWaits: 'No business waits for you',
  nothingWaitsNext: 'A reseller who wants to send SMS asks in the app and comes here.',
  more: 'Show more requests',
  panel: 'The chosen request',
  facts: 'About this request',
  approveQuestion: (name: string) => `Approve ${name} as a business?`,
  approveLead: 'The account may send SMS from then on, and gets a notice.',
  declineQuestion: (name: string) => `Decline the request of ${name}?`,
  declineLead: 'The account gets a notice with your reason, and may ask again.',
  notBusiness: 'No SMS',
  business: 'May send SMS',
} as const

export const requestStates: Readonly<Record<Request['state'], { readonly word: string; readonly tone: Tone }>> = {
  waiting: { word: 'Waiting', tone: 'wait' },
  approved: { word: 'Approved', tone: 'done' },
  declined: { word: 'Declined', tone: 'fail' },
}
