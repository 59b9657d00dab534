import { useQuery } from '@tanstack/react-query'
import { answerOf, api } from '../../both/api/call-api.ts'
import type { components } from '../../both/api/dashboard-api.d.ts'
import type { Tone } from '../../both/list/state.tsx'

export type Campaign = components['schemas']['SmsAppCampaign']
export type WrongNumber = components['schemas']['SmsRecipientsCheck']['wrong'][number]

/** The first part of the keys of all queries of the SMS screens. */
export const smsKey = ['sms'] as const

/** The credits, the wallet, and the price of credits. */
export function useSms() {
  return useQuery({
    queryKey: [...smsKey, 'overview'],
    queryFn: ({ signal }) => answerOf(() => api.GET('/app/api/sms', { signal })),
  })
}

export function useSenders() {
  return useQuery({
    queryKey: [...smsKey, 'senders'],
    queryFn: ({ signal }) => answerOf(() => api.GET('/app/api/sms/senders', { signal })),
  })
}

export function useLists() {
  return useQuery({
    queryKey: [...smsKey, 'lists'],
    queryFn: ({ signal }) => answerOf(() => api.GET('/app/api/sms/lists', { signal })),
  })
}

export function useDrafts() {
  return useQuery({
    queryKey: [...smsKey, 'drafts'],
    queryFn: ({ signal }) => answerOf(() => api.GET('/app/api/sms/drafts', { signal })),
  })
}

export const campaignTones: Readonly<Record<Campaign['state'], Tone>> = {
  scheduled: 'wait',
  queued: 'wait',
  sending: 'wait',
  paused: 'wait',
  sent: 'done',
  failed: 'fail',
  cancelling: 'wait',
  cancelled: 'plain',
  blocked: 'fail',
}

/** Whether the state or the counts of a campaign may change at any moment. Screens read such a campaign again and again. */
export function isMoving({ state, delivery }: Campaign): boolean {
  return ['queued', 'sending', 'paused', 'cancelling'].includes(state) || (delivery['sent'] ?? 0) > 0
}
