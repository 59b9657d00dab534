import type { components } from '../../both/api/dashboard-api.d.ts'
import { inWords } from '../../both/in-words.ts'
import type { Tone } from '../../both/list/state.tsx'

type Approval = components['schemas']['Approval']

export const approvalWords = {
  lead: 'What one person proposed and another one confirms. Nothing happens before.',
  view: 'Which proposals',
  pending: 'Waiting',
  decided: 'Decided',
  nothingWaits: 'Nothing waits for a second person',
  nothingWaitsNext: 'What takes two people comes here: credits above the limit, corrections, settled orders, vouchers taken out.',
  what: 'What will happen',
  proposedBy: 'Proposed by',
  proposedAt: 'Proposed',
  note: 'Second person’s words',
  panel: 'The chosen proposal',
  facts: 'About this proposal',
  confirmQuestion: 'Confirm and do it now?',
  refuseQuestion: 'Refuse this proposal?',
  refuseLead: 'It can no longer be confirmed. Nothing is done.',
  withdrawQuestion: 'Withdraw your proposal?',
  sameWaits: 'The same waits already. Is it the one that you mean?',
  confirmThat: 'Confirm that one',
  proposeAnother: 'Propose another',
  yours: 'You proposed it, so somebody else confirms it. You can withdraw it.',
  ownAccount: 'This is about an account that you belong to, so somebody else decides it.',
  notYours: (permission: string) => `Deciding this takes the permission “${permission}”, which your role does not have.`,
  wouldDo: 'If it is confirmed now',
  hasDone: 'What it changed',
  foreseen: 'What was foreseen',
  notAnyMore: (why: string) => `It can no longer be done: ${why}`,
  nobody: 'Nobody at the desk can decide this kind; use the command line.',
} as const

export const approvalStates: Readonly<Record<Approval['status'], { readonly word: string; readonly tone: Tone }>> = {
  pending: { word: 'Waiting', tone: 'wait' },
  done: { word: 'Confirmed', tone: 'done' },
  refused: { word: 'Refused', tone: 'fail' },
  expired: { word: 'Expired', tone: 'plain' },
}

/** Turns a text of the server into a sentence: with a capital letter, and with words instead of codes. */
export const sentence = (text: string): string => inWords(`${text.slice(0, 1).toUpperCase()}${text.slice(1)}`)

const kinds: Readonly<Record<string, string>> = {
  'wallet credit': 'credits above the limit',
  'sms credit': 'SMS credits above the limit',
  'wallet correct': 'corrections of a wallet',
  'sms correct': 'corrections of SMS credits',
  'top-up confirm': 'top-ups by a transfer',
  'order settle': 'stuck orders',
  'order take-back': 'refunds of vouchers',
  'order adjust': 'adjustments of ended orders',
  'vouchers withdraw': 'vouchers taken out of stock',
  'setting set': 'settings that guard money or rights',
  'setting keep': 'settings that do not switch back',
  'staff set-role': 'roles of the staff',
  'member reset-second-factor': 'lost second factors of resellers’ people',
  'gateway set': 'addresses and credentials of payment gateways',
  'supplier set': 'addresses and credentials of suppliers',
  'supplier float-topup': 'float movements above the limit',
  'personal erase': 'erasures of personal data',
  'history accept': 'going on after history went back',
}

/** The title of a kind of proposal, by the name of its command. */
export const nameKind = (kind: string): string => kinds[kind] ?? kind
