import { inLanguage } from '../languages/in-language.ts'
import type { Tone } from './list/state.tsx'

/** The states of a notice that is sent to a reseller. */
export const noticeStates: Readonly<
  Record<'queued' | 'sending' | 'sent' | 'failed', { readonly tone: Tone; readonly word: string }>
> = inLanguage('noticeStates', {
  queued: { tone: 'wait', word: 'Waits' },
  sending: { tone: 'wait', word: 'On its way' },
  sent: { tone: 'done', word: 'Sent' },
  failed: { tone: 'fail', word: 'Not sent' },
})
