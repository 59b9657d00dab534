import type { Tone } from '../../both/list/state.tsx'

export const noticeStates: Readonly<
  Record<'queued' | 'sending' | 'sent' | 'failed', { readonly tone: Tone; readonly word: string }>
> = {
  queued: { tone: 'wait', word: 'Waits' },
  sending: { tone: 'wait', word: 'On its way' },
  sent: { tone: 'done', word: 'Sent' },
  failed: { tone: 'fail', word: 'Not sent' },
}

export const incidentLevels = { news: 'News', trouble: 'Trouble', outage: 'Outage' } as const

export const noticeWords = {
  incidents: 'Above every reseller’s screen',
  tell: 'Message to all resellers',
  tellQuestion: 'Show this message to all resellers?',
  tellEffect: 'Everybody sees it above every screen of the app, within a minute, until it ends.',
  level: 'What is it?',
  levelHelp: {
    news: 'News: good to know',
    trouble: 'Trouble: something is slow or does not always work',
    outage: 'Outage: something does not work',
  },
  message: 'Message',
  messageHelp: 'What is wrong, since when, and what they should do. Up to 300 characters.',
  from: 'From',
  fromHelp: 'Empty: at once.',
  untilHelp: 'Empty: until somebody ends it. Times are Ghana’s.',
  send: 'Show it',
  end: 'End it',
  endQuestion: 'Take this message away?',
  endEffect: 'Nobody sees it any more. It stays in this list and in the audit log.',
  noIncidents: 'Resellers see no message at this moment.',
  noIncidentsNext: 'While something is wrong, tell everybody here, before they ask.',
  what: 'Message',
  shown: 'Shown now',
  coming: (at: string) => `From ${at}`,
  over: 'Over',
  endedBy: (who: string) => `Ended by ${who}`,
  sent: 'Sent to resellers',
  accountHelp: 'Its e-mail or id',
  channel: 'Way',
  channels: { sms: 'SMS', email: 'Mail' },
  subject: 'Notice',
  to: 'To',
  tries: 'Tries',
  reason: 'Why not',
  noNotices: 'Nothing was sent yet.',
  noNoticesNext: 'Keys, refunds, low balances and answers are told to resellers by themselves.',
} as const
