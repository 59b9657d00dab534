import type { Schema } from '../../both/api/call-api.ts'
import type { Tone } from '../../both/list/state.tsx'

export const problemWords = {
  lead: 'What resellers report from the app. The answer comes to them in a notice and under Help in the app.',
  view: 'Which problems',
  waiting: 'Waiting',
  ended: 'Ended',
  text: 'What is wrong',
  panel: 'The chosen problem',
  facts: 'About this problem',
  reported: 'Reported',
  reportedBy: 'Reported by',
  order: 'Order',
  topUp: 'Top-up',
  requestId: 'Request id',
  endedBy: 'Ended by',
  more: 'Show more problems',
  nothingWaits: 'No problem waits for you',
  nothingWaitsNext: 'What resellers report under Help in the app comes here.',
  nothingEnded: 'No problem has ended yet',
  answer: 'Answer',
  answerQuestion: (account: string) => `Answer ${account}?`,
  answerHelp: 'The reseller reads it in a notice. Do not write what only the staff may know.',
  close: 'Close without an answer',
  closeQuestion: (account: string) => `Close the problem of ${account} without an answer?`,
  closeLead: 'The reseller gets no notice. The app shows the problem as closed.',
} as const

export const problemStates: Readonly<Record<Schema<'DeskProblem'>['state'], { readonly word: string; readonly tone: Tone }>> = {
  waiting: { word: 'Waiting', tone: 'wait' },
  answered: { word: 'Answered', tone: 'done' },
  closed: { word: 'Closed', tone: 'plain' },
}
