import type { components } from '../../both/api/dashboard-api.d.ts'
import type { Tone } from '../../both/list/state.tsx'
import { showAmounts } from '../../both/money/format-ghs.ts'

type Approval = components['schemas']['Approval']

/** The words of the queue of what takes two people. */
export const approvalWords = {
  lead: 'What one person proposed and another one confirms. Nothing happens before.',
  view: 'Which proposals',
  pending: 'Waiting',
  decided: 'Decided',
  nothingWaits: 'Nothing waits for a second person',
  nothingWaitsNext: 'What takes two people comes here: credits above the limit, corrections, settled orders, vouchers taken out.',
  nothingDecided: 'Nothing was decided yet',
  what: 'What will happen',
  change: 'From → to',
  reason: 'Reason',
  proposedBy: 'Proposed by',
  state: 'State',
  until: 'Until',
  account: 'Account',
  subject: 'About',
  proposedAt: 'Proposed',
  decidedBy: 'Decided by',
  decidedAt: 'Decided',
  note: 'Second person’s words',
  more: 'Show older ones',
  panel: 'The chosen proposal',
  facts: 'About this proposal',
  confirm: 'Confirm',
  confirmQuestion: 'Confirm and do it now?',
  refuse: 'Refuse',
  refuseQuestion: 'Refuse this proposal?',
  refuseLead: 'It can no longer be confirmed. Nothing is done.',
  takeBack: 'Take back',
  takeBackQuestion: 'Take your proposal back?',
  yours: 'You proposed this, so a second person confirms it. You can take it back.',
  ownAccount: 'This is about an account that you belong to, so somebody else decides it.',
  notYours: (permission: string) => `Deciding this takes the permission “${permission}”, which your role does not have.`,
  nobody: 'Nobody at the desk can decide this kind; use the command line.',
} as const

export const approvalStates: Readonly<Record<Approval['status'], { readonly word: string; readonly tone: Tone }>> = {
  pending: { word: 'Waiting', tone: 'wait' },
  done: { word: 'Confirmed', tone: 'done' },
  refused: { word: 'Refused', tone: 'fail' },
  expired: { word: 'Expired', tone: 'plain' },
}

/**
 * A text of the server as a sentence: it begins with a capital letter, and its amounts are written as on the screens.
 */
export const sentence = (text: string): string => showAmounts(`${text.slice(0, 1).toUpperCase()}${text.slice(1)}`)
