import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useLocation, useSearchParams } from 'wouter'
import { ApiRefusal, post, put, remove } from '../../both/api/call-api.ts'
import { useAct, useRefresh } from '../../both/api/use-read.ts'
import { readMoment } from '../../both/moments/format-moment.ts'
import { useSentOnce } from '../../both/money/use-reference.ts'
import { useSavedFields } from '../use-saved-fields.ts'
import { useDrafts, useLists } from './ask-sms.ts'

/** The pause after the last key before the server is asked. Longer for recipients, which are many and pasted in pieces. */
const textMilliseconds = 250
const recipientsMilliseconds = 400

export type Writing = {
  /** The id of the draft. The page chooses it before the draft is stored. */
  readonly draftId: string
  readonly message: string
  readonly recipients: string
  readonly listIds: readonly string[]
  readonly sender: string
  /** Written in place of `{name}` where a number has no saved name. */
  readonly nameFallback: string
  /** When to send: day and time in Accra, as the field writes them. Empty: at once. */
  readonly at: string
}

const empty = (): Writing => ({
  draftId: crypto.randomUUID(),
  message: '',
  recipients: '',
  listIds: [],
  sender: '',
  nameFallback: '',
  at: '',
})

/** The text, and the word for numbers without a name, if the text has a `{`. The server decides whether it fills in names. */
const namesOf = ({ message, nameFallback }: Writing) => ({
  message: message.includes('{') ? message : undefined,
  name_fallback: message.includes('{') && nameFallback.trim() !== '' ? nameFallback.trim() : undefined,
})

const bodyOf = ({ nameFallback, message, recipients, listIds, sender }: Writing) => ({
  message,
  recipients,
  list_ids: [...listIds],
  sender: sender || undefined,
  name_fallback: nameFallback.trim() || undefined,
})

/** Keeps the message that is being written. The address may name a draft or a contact list to begin with. */
function useWriting() {
  const [writing, change] = useSavedFields<Writing>('sms', empty())
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
      const { draft_id, message, recipients, list_ids, sender, name_fallback } = draft
      const [from, nameFallback] = [sender ?? '', name_fallback ?? '']
      change({ draftId: draft_id, message, recipients, listIds: list_ids, sender: from, nameFallback, at: '' })
      setParams({}, { replace: true })
    }
  }, [draftId, listId, drafts.data, writing, change, setParams])
  return { writing, change, begin: () => change(empty()) }
}

type Reach = { recipients: string; list_ids: string[]; scheduled_at?: string; message?: string; name_fallback?: string }

/** The server's checks of text, recipients and cost, once the person has stopped typing. */
function useChecks(writing: Writing) {
  const { message, recipients, listIds, at } = writing
  const [text] = useDebouncedValue(message, textMilliseconds)
  const scheduled_at = readMoment(at)
  const asked = JSON.stringify({ recipients, list_ids: listIds, scheduled_at, ...namesOf(writing) })
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
    // A name may have been changed on another screen.
    staleTime: 0,
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
  // Leaves out lists that were deleted after they were chosen, and the list of people who opted out, to which nothing is sent.
  const listIds = kept.listIds.filter(
    (id) => !data || data.lists.some(({ list_id, is_opt_out }) => list_id === id && !is_opt_out),
  )
  const writing = { ...kept, listIds }
  const checks = useChecks(writing)
  const sendOnce = useSentOnce('sms')
  const named = checks.reach?.named ?? undefined
  const cost = named ? (named.credits ?? 0) : (checks.text?.segments ?? 0) * (checks.reach?.recipients ?? 0)
  const draft = { draft_id: writing.draftId }
  const sending = useMutation({
    mutationFn: () => {
      const scheduled_at = readMoment(writing.at)
      const message = { ...bodyOf(writing), ...(named ? {} : { name_fallback: undefined }), scheduled_at, credits: cost }
      return sendOnce((reference) => post('/app/api/sms/send', { ...message, reference }))
    },
    onSuccess: async ({ campaign_id }) => {
      // The campaign was sent. An error is ignored, because a draft that cannot be deleted only stays in the list.
      await remove('/app/api/sms/drafts/{draft_id}', draft).catch(() => undefined)
      begin()
      await refresh(['sms'])
      navigate(`/sms/campaigns/${campaign_id}`)
    },
    // Names may have changed. At a new cost, the dialog asks again.
    onError: (error) => (error instanceof ApiRefusal ? refresh(['sms']) : undefined),
  })
  const keeping = useAct(() => put('/app/api/sms/drafts/{draft_id}', { ...draft, ...bodyOf(writing) }), ['sms'])
  return { writing, change, checks, named, cost, sending, keeping }
}
