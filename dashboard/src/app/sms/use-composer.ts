import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useLocation, useSearchParams } from 'wouter'
import { post, put, remove } from '../../both/api/call-api.ts'
import { useAct, useRefresh } from '../../both/api/use-read.ts'
import { isPriceChanged, useSentOnce } from '../../both/money/use-reference.ts'
import { useKept } from '../use-kept.ts'
import { useDrafts, useLists } from './ask-sms.ts'

/** The pause after the last key before the server is asked. Longer for recipients, which are many and pasted in pieces. */
const textMilliseconds = 250
const recipientsMilliseconds = 400

/** A message that a person is writing. */
export type Writing = {
  /** The id of the draft. The page chooses it before the draft is stored. */
  readonly draftId: string
  readonly message: string
  readonly recipients: string
  readonly listIds: readonly string[]
  readonly sender: string
  /** When to send: day and time in Accra, as the field holds them. Empty: at once. */
  readonly at: string
}

const empty = (): Writing => ({ draftId: crypto.randomUUID(), message: '', recipients: '', listIds: [], sender: '', at: '' })

/** Accra is on UTC all year. */
export const momentInAccra = (at: string): string => new Date(`${at}Z`).toISOString()

const bodyOf = ({ message, recipients, listIds, sender }: Writing) => ({
  message,
  recipients,
  list_ids: [...listIds],
  sender: sender || undefined,
})

/** Keeps the message that is being written. The address may name a draft or a contact list to begin with. */
function useWriting() {
  const [writing, change] = useKept<Writing>('sms', empty())
  const [params, setParams] = useSearchParams()
  const drafts = useDrafts()
  const draftId = params.get('draft')
  const listId = params.get('list')
  useEffect(() => {
    if (listId !== null) {
      change({ listIds: [...new Set([...writing.listIds, listId])] })
      setParams({}, { replace: true })
    }
    const draft = drafts.data?.drafts.find(({ draft_id }) => draft_id === draftId)
    if (draft) {
      const { message, recipients, list_ids, sender } = draft
      change({ draftId: draft.draft_id, message, recipients, listIds: list_ids, sender: sender ?? '', at: '' })
      setParams({}, { replace: true })
    }
  }, [draftId, listId, drafts.data, writing, change, setParams])
  return { writing, change, begin: () => change(empty()) }
}

type Reach = { recipients: string; list_ids: string[]; scheduled_at?: string }

/** The server's checks of text, recipients and cost, once the person has stopped typing. */
function useChecks({ message, recipients, listIds, at }: Writing) {
  const [text] = useDebouncedValue(message, textMilliseconds)
  const asked = JSON.stringify({ recipients, list_ids: listIds, scheduled_at: at === '' ? undefined : momentInAccra(at) })
  const [reach] = useDebouncedValue(asked, recipientsMilliseconds)
  const textCheck = useQuery({
    queryKey: ['sms', 'text', text],
    queryFn: ({ signal }) => post('/app/api/sms/check-text', { message: text }, signal),
    enabled: text !== '',
    placeholderData: keepPreviousData,
  })
  const isAnybody = recipients.trim() !== '' || listIds.length > 0
  const reachCheck = useQuery({
    queryKey: ['sms', 'reach', reach],
    queryFn: ({ signal }) => {
      return post('/app/api/sms/check-recipients', JSON.parse(reach) as Reach, signal)
    },
    enabled: isAnybody,
    placeholderData: keepPreviousData,
  })
  const isFresh = text === message && reach === asked && !textCheck.isPlaceholderData && !reachCheck.isPlaceholderData
  return {
    text: message === '' ? undefined : textCheck.data,
    reach: isAnybody ? reachCheck.data : undefined,
    isFresh,
    error: textCheck.error ?? reachCheck.error,
    askAgain: () => void Promise.all([textCheck.refetch(), reachCheck.refetch()]),
  }
}

/** The state and the actions of the composer: writes, checks, keeps a draft, sends once. */
export function useComposer() {
  const refresh = useRefresh()
  const [, navigate] = useLocation()
  const { writing: kept, change, begin } = useWriting()
  const { data } = useLists()
  // A contact list that was deleted after it was chosen is left out, because it has no numbers any more.
  const listIds = kept.listIds.filter(
    (id) => !data || data.lists.some(({ list_id, is_opt_out }) => list_id === id && !is_opt_out),
  )
  const writing = { ...kept, listIds }
  const checks = useChecks(writing)
  const sendOnce = useSentOnce('sms')
  const cost = (checks.text?.segments ?? 0) * (checks.reach?.recipients ?? 0)
  const draft = { draft_id: writing.draftId }
  const sending = useMutation({
    mutationFn: () => {
      const scheduled_at = writing.at === '' ? undefined : momentInAccra(writing.at)
      const message = { ...bodyOf(writing), scheduled_at, credits: cost }
      return sendOnce((reference) => post('/app/api/sms/send', { ...message, reference }))
    },
    onSuccess: async ({ campaign_id }) => {
      // The campaign was sent. An error is ignored, because a draft that cannot be deleted only stays in the list.
      await remove('/app/api/sms/drafts/{draft_id}', draft).catch(() => undefined)
      begin()
      await refresh(['sms'])
      navigate(`/sms/campaigns/${campaign_id}`)
    },
    // The dialog asks again, at the new cost.
    onError: (error) => (isPriceChanged(error) ? refresh(['sms']) : undefined),
  })
  const keeping = useAct(() => put('/app/api/sms/drafts/{draft_id}', { ...draft, ...bodyOf(writing) }), ['sms'])
  return { writing, change, checks, cost, sending, keeping }
}
