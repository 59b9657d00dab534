import { inLanguage } from '../../languages/in-language.ts'

export const testSideWords = inLanguage('testSideWords', {
  title: 'Test keys',
  link: 'Try your program with play money',
  intro:
    'A program with a test key buys as with a real one, at the same address, from a simulator. Nothing is delivered to anybody, and no real money moves.',
  off: 'Test keys are off here',
  offDetail: 'Ask us to switch them on.',
  make: 'Make a test key',
  remake: 'Make a new test key',
  end: 'End it',
  endQuestion: 'End this test key? Your program can no longer use it.',
  worksAtOnce: 'It works at once, without any approval.',
  oldStops: 'The old test key of this type stops working at once.',
  keys: 'Your test keys',
  noKey: 'None yet',
  money: 'Play money',
  fill: 'Fill it up',
  credits: 'SMS credits',
  orders: 'Newest test orders',
  noOrders: 'No test order yet',
  numbers: 'Which numbers play which outcome',
})
