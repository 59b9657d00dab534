import { formatCount } from '../../both/money/format-ghs.ts'
import { inLanguage } from '../../languages/in-language.ts'

const plural = (count: number, one: string, many: string) => `${formatCount(count)} ${count === 1 ? one : many}`

const eachGets = (least: number, most: number) =>
  least === most ? `${plural(most, 'SMS', 'SMS')} each` : `${formatCount(least)} to ${formatCount(most)} SMS each`

export const smsWords = inLanguage('smsWords', {
  countCredits: (count: number) => plural(count, 'credit', 'credits'),
  buyCredits: 'Buy credits',
  newMessage: 'New message',
  notBusiness: 'SMS needs an approved business account',
  notBusinessNext: 'We approve each business first. Until then you can look around and collect contacts here.',
  askForApproval: 'Ask for approval',
  key: 'SMS key',
  keyDetail: 'For programs of your own that send SMS',
  scheduled: 'Scheduled',
  campaigns: 'Campaigns',
  drafts: 'Drafts',
  more: 'More in SMS',
  contacts: 'Contacts',
  contactsDetail: 'Lists of numbers, pasted or from a spreadsheet',
  senders: 'Sender IDs',
  sendersDetail: (sender: string) => (sender === '' ? 'No sender yet' : `Your texts come from ${sender}`),
  noCampaigns: 'Nothing sent yet',
  noCampaignsNext: 'Write a message, choose who gets it, and see what it costs before it leaves.',
  noText: 'No text yet',
  toNumbers: (count: number) => `to ${plural(count, 'number', 'numbers')}`,
  goesOut: 'goes out',
})

export const composerWords = inLanguage('composerWords', {
  text: 'Your text',
  textHint: 'Your order is ready. Come by until 6 pm.',
  count: (characters: number, least: number, most: number) =>
    `${plural(characters, 'character', 'characters')} · ${eachGets(least, most)}`,
  insertName: 'Insert name',
  nameNote: '{name} becomes the name that you saved for each number, as a contact or a customer.',
  unnamed: (count: number, all: number) =>
    `${formatCount(count)} of ${formatCount(all)} ${count === 1 ? 'has' : 'have'} no saved name`,
  nameFallback: 'Write instead of the name',
  nameFallbackHint: 'customer',
  sayFallback: 'Say what to write where there is no name.',
  firstTexts: 'The first texts',
  unusual: (character: string, segments: number) => `${character} makes this ${plural(segments, 'SMS', 'SMS')}`,
  unusualSame: (character: string) => `${character} leaves room for 70 characters in an SMS, not 160`,
  replace: (replacement: string) =>
    replacement === '' ? 'Leave it out' : `Replace it with ${replacement === ' ' ? 'a space' : replacement}`,
  replaceAll: (segments: number | undefined) =>
    segments === undefined ? 'Replace all' : `Replace all: ${plural(segments, 'SMS', 'SMS')}`,
  blocked: 'This text would be blocked',
  blockedNext: 'Write in your own name, without balances, transaction numbers or the words of a receipt.',
  numbersHint: '024 123 4567, +233 20 123 4567',
  lists: 'Your lists',
  ready: (count: number) => `${plural(count, 'number', 'numbers')} ready`,
  optedOut: (count: number, all: number) =>
    `${formatCount(count)} of ${formatCount(all)} ${count === 1 ? 'has' : 'have'} opted out and ${count === 1 ? 'is' : 'are'} left out`,
  waits: (at: string) => `Quiet hours: it will be sent at ${at}.`,
  twice: (count: number) => `${formatCount(count)} are there more than once and count once`,
  leftOut: (count: number) => `${plural(count, 'line is', 'lines are')} left out`,
  why: {
    foreign: 'is not a number of Ghana',
    too_short: 'is too short, 10 digits are needed',
    too_long: 'is too long, 10 digits are needed',
    not_a_number: 'is not a number',
  },
  line: (line: number) => `line ${line}`,
  sender: 'From',
  time: 'Day and time in Accra',
  timeNote: 'The credits are taken now. They come back if you cancel before it goes out.',
  timePassed: 'Choose a time in the future.',
  keep: 'Keep as draft',
  kept: 'Kept. You find it under Drafts.',
  cost: (numbers: number, segments: number) => `${plural(numbers, 'number', 'numbers')} × ${plural(segments, 'SMS', 'SMS')}`,
  costOfEach: (numbers: number, least: number, most: number) =>
    `${plural(numbers, 'number', 'numbers')}, ${eachGets(least, most)}`,
  send: (cost: string) => `Send for ${cost}`,
  schedule: (cost: string) => `Schedule for ${cost}`,
  confirmSend: 'Send',
  confirmSchedule: 'Schedule',
  after: 'Credits after',
  missing: (count: string) => `You need ${count} more.`,
  askSend: (numbers: number) => `Send to ${plural(numbers, 'number', 'numbers')}?`,
  askSchedule: (numbers: number, at: string) => `Send to ${plural(numbers, 'number', 'numbers')} on ${at}?`,
  sentBefore: 'What you sent before was sent after all',
  sentBeforeNext: 'The connection was lost before the answer came. Look at it before you send this text, too:',
  nothingYet: 'Write a text and say who gets it.',
  tooMany: 'One campaign reaches at most 10,000 numbers.',
})

export const campaignWords = inLanguage('campaignWords', {
  title: 'Campaign',
  of: (part: number, whole: number) => `${formatCount(part)} of ${formatCount(whole)}`,
  text: 'Text',
  sender: 'From',
  costOf: (credits: string, segments: number, isUpTo: boolean) =>
    `${credits}, ${isUpTo ? 'up to ' : ''}${plural(segments, 'SMS', 'SMS')} each`,
  back: 'Credits returned',
  leftOut: 'Left out',
  optedOut: (count: number) => plural(count, 'number had opted out', 'numbers had opted out'),
  goesOut: 'Goes out',
  by: { api: 'by your program', dashboard: 'in the app' },
  resume: 'Go on',
  cancel: 'Cancel the rest',
  askCancel: 'Cancel this campaign?',
  askCancelDetail: 'The rest is not sent, and its credits come back. What is on the way cannot be called back.',
  failures: 'Not delivered (CSV)',
  numbers: 'Numbers',
  changed: 'Changed',
  none: 'No number in this state',
  previous: 'Before',
  next: 'Next',
  cancelledBy: {
    account: 'You cancelled it. What had not left was not sent, and its credits come back.',
    operator: 'We cancelled it. What had not left was not sent, and its credits come back. Your notices say why.',
    platform: 'It was cancelled. What had not left was not sent, and its credits come back.',
  },
  pausedNote: 'Nothing more is sent until you go on. After a day, the credits of the rest come back by themselves.',
  blockedNote: 'The content policy blocked this text. This try sent nothing and charged nothing.',
})

export const senderWords = inLanguage('senderWords', {
  intro: 'The name that phones show above your text.',
  own: 'Your own',
  pool: 'Shared by everybody',
  none: 'No name of your own yet',
  noneNext: 'Ask for one below. Until it is approved, your texts come from a shared sender.',
  states: { requested: 'Waits for us', approved: 'Approved', rejected: 'Rejected' },
  isDefault: 'used when you name none',
  makeDefault: 'Use by default',
  ask: 'Ask for a sender ID',
  fieldHint: '3 to 11 letters and digits, as your customers know you',
  button: 'Ask',
  asked: 'Asked. We look at it and tell you.',
})

export const contactWords = inLanguage('contactWords', {
  none: 'No list yet',
  noneNext: 'Make a list, then paste numbers or take them from a spreadsheet.',
  count: (count: number) => plural(count, 'number', 'numbers'),
  newList: 'New list',
  listName: 'Name of the list',
  make: 'Make list',
  forget: 'Forget a number',
  forgetDetail: 'The number goes from all lists that you send to. If somebody opted out, that is kept.',
  forgetButton: 'Forget',
  forgotten: (count: number) =>
    count === 0 ? 'It is in none of your lists.' : `Removed from ${plural(count, 'list', 'lists')}.`,
  optedOut: 'Opted out',
  optedOutDetail: (count: number) =>
    count === 0 ? 'Nobody yet' : `${plural(count, 'number', 'numbers')}, left out of campaigns`,
  optedOutNote:
    'Campaigns leave these numbers out. Who answers STOP to your sender is added by itself, where the network brings answers. A text to one number alone still goes.',
  add: 'Add numbers',
  addField: 'Numbers, with names if you like',
  addHint: 'Ama Mensah, 024 123 4567',
  check: 'Check',
  addThem: (count: number) => `Add ${plural(count, 'number', 'numbers')}`,
  nothingNew: 'Nothing new in there',
  new: (count: number) => `${plural(count, 'number is', 'numbers are')} new`,
  known: (count: number) => `${formatCount(count)} in the list already`,
  added: (count: number) => `${plural(count, 'number', 'numbers')} added`,
  empty: 'This list is empty',
  send: 'Write to this list',
  deleteList: 'Delete this list',
  askDelete: 'Delete this list and its numbers?',
  first: 'Back to the first',
})

export const creditWords = inLanguage('creditWords', {
  title: 'Buy SMS credits',
  intro: 'One credit sends one SMS to one number.',
  now: 'Credits now',
  packs: 'Packs',
  each: (pesewas: string) => `${pesewas} pesewas each`,
  none: 'No packs are sold here',
  noneNext: 'Ask us for credits.',
  buy: (amount: string) => `Buy for ${amount}`,
  ask: (credits: string) => `Buy ${credits}?`,
  confirm: 'Buy',
  bought: (credits: string) => `${credits} bought`,
  tooLittle: (amount: string) => `Your wallet holds ${amount}. Top up first.`,
  wallet: 'Wallet after',
})
