import type { Schema } from '../../both/api/call-api.ts'
import type { Tone } from '../../both/list/state.tsx'
import { formatCount } from '../../both/money/format-ghs.ts'

type Erasure = Schema<'Erasure'>

export const personalWords = {
  title: 'Personal data',
  lead: 'For a person who asks what you keep about them, or wants it erased. Make sure first that the number is theirs.',
  number: 'Number or e-mail',
  numberHelp: 'A phone, a meter or a smartcard.',
  reasonHelp: 'The audit log keeps it. Do not write the number into it.',
  show: 'See what is kept',
  showQuestion: 'What is kept about whom?',
  showLead: 'Looks through every table. This may take minutes.',
  asFile: 'Download for programs',
  asText: 'Download for reading',
  kept: (masked: string) => `What is kept about ${masked}`,
  nothing: 'Nothing is kept about this number',
  erase: 'Erase',
  eraseQuestion: 'Erase what is kept about whom?',
  eraseLead: 'A second owner confirms it. What open orders need is kept, and shown here.',
  proposed: 'Proposed: a second owner confirms it under Approvals.',
  sameWaits: 'The same waits already: a second owner confirms it under Approvals.',
  erasures: 'Erasures',
  none: 'Nobody asked to be erased',
  onlyOwners: 'Only owners see personal data',
  erased: 'Erased',
  left: 'Kept',
  rows: (title: string, count: number) => `${title}: ${formatCount(count)}`,
  states: {
    waiting: { word: 'Waits', tone: 'wait' },
    under_way: { word: 'Under way', tone: 'wait' },
    done: { word: 'Done', tone: 'done' },
    refused: { word: 'Refused', tone: 'fail' },
    expired: { word: 'Expired', tone: 'plain' },
  } as Record<Erasure['state'], { readonly word: string; readonly tone: Tone }>,
} as const
