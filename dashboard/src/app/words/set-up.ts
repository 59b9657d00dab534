import { inLanguage } from '../../languages/in-language.ts'

export const setUpWords = inLanguage('setUpWords', {
  tryFirst: 'Try it with a test key',
  tryFirstDetail: 'a whole purchase with play money, in a few minutes',
  title: 'First steps',
  progress: (done: number, all: number) => `${done} of ${all} done`,
  you: 'You',
  operator: 'The operator',
  next: 'Next',
  waits: 'Waits',
  later: 'Later',
  dismiss: 'Hide these steps',
  question: 'How do you sell?',
  questionHint: 'You can change it at any time, and do both.',
  ways: { hand: 'I sell by hand', program: 'My program sells' },
  steps: {
    email: { title: 'Confirm your e-mail', detail: 'Open the link in the e-mail.', href: '/' },
    phone: { title: 'Confirm your phone number', detail: 'A code comes by text.', href: '/profile/phone' },
    two_factor: {
      title: 'Switch on the second factor',
      detail: 'Then a stolen password is not enough.',
      href: '/profile/second-factor',
    },
    role: {
      title: 'Become an agent or dealer',
      detail: 'They buy cheaper. The operator gives your account its role: ask for it.',
      href: '/developer',
    },
    policy: { title: 'Accept the developer policy', detail: 'The rules for everybody with a key.', href: '/developer/policy' },
    key: { title: 'Make a key', detail: 'With it your program buys.', href: '/developer' },
    approval: { title: 'The key is approved', detail: 'The operator looks at it. We tell you by e-mail.', href: '/developer' },
    top_up: { title: 'Top up your wallet', detail: 'Every order is paid from it.', href: '/top-up' },
    order: { title: 'Make your first sale', detail: 'Choose a bundle, write the number, and pay.', href: '/buy' },
  },
})
