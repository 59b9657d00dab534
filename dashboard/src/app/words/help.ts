import type { Schema } from '../../both/api/call-api.ts'
import type { Tone } from '../../both/list/state.tsx'
import { inLanguage } from '../../languages/in-language.ts'

export const helpWords = inLanguage('helpWords', {
  title: 'Help',
  ask: 'Need help?',
  reach: 'Talk to a person',
  whatsapp: 'WhatsApp',
  call: (number: string) => `Call ${number}`,
  nobody: 'There is no phone number to call yet. Report your problem here: the answer comes to this screen.',
  report: 'Report a problem',
  text: 'What is wrong?',
  textHelp: 'Say what you did, what you expected, and what happened.',
  send: 'Send to us',
  sent: 'Sent. The answer comes to this screen and in a notice.',
  attached: 'Sent with it',
  order: 'Order',
  topUp: 'Top-up',
  request: 'Request id',
  leaveOut: 'Leave out',
  yours: 'What you reported',
  none: 'Nothing yet',
  noneNext: 'Your reports and their answers are kept here.',
  answer: 'Answer',
  about: (what: string, reference: string) => `${what} ${reference}`,
  closed: 'We closed this without an answer.',
  aboutOrder: (reference: string) => `Hello, it is about my order ${reference}. `,
  aboutTopUp: (reference: string) => `Hello, it is about my top-up ${reference}. `,
  lostTitle: 'No back-up code either?',
  lost: 'We can take the second factor away. First our people make sure that it is you.',
  tellLost: 'I lost my phone and my codes',
  lostTold:
    'We know now, and sent you a mail. Our people make sure that it is you, which may take a day or two: call or write, then it goes faster. Another mail says how you get in.',
})

export const problemStates: Readonly<Record<Schema<'Problem'>['state'], { readonly word: string; readonly tone: Tone }>> =
  inLanguage('problemStates', {
    waiting: { word: 'Waiting', tone: 'wait' },
    answered: { word: 'Answered', tone: 'done' },
    closed: { word: 'Closed', tone: 'plain' },
  })
