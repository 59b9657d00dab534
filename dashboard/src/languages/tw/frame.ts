import type { appFindWords as appFindEnglish } from '../../app/words/find.ts'
import type { frameWords as english } from '../../app/words/frame.ts'
import type { helpWords as helpEnglish, problemStates as problemEnglish } from '../../app/words/help.ts'
import type { homeWords as homeEnglish } from '../../app/words/home.ts'
import type { mailWords as mailEnglish } from '../../app/words/mail.ts'
import type { moreWords as moreEnglish } from '../../app/words/more.ts'
import type { setUpWords as setUpEnglish } from '../../app/words/set-up.ts'
import type { viewWords as viewEnglish } from '../../app/words/view.ts'
import type { findWords as findEnglish } from '../../both/find/find-words.ts'
import type { Translated } from '../translated.ts'

export const frameWords: Translated<typeof english> = {
  more: 'Bio',
  notices: 'Nkaebɔ',
  orders: 'Orders',
  requestLog: 'API nsɛm',
  sms: 'SMS',
  topUp: 'Top-up',
  wallet: 'Wallet',
  name: 'Makola',
  navigation: 'Nkrataafa',
  groups: { shop: 'Wo sotɔɔ', money: 'Sika', account: 'Wo account', programs: 'Programs deɛ' },
  home: 'Fie',
  buy: 'Tɔ',
  customers: 'Adetɔfoɔ',
  prices: 'Boɔ ne mfasoɔ',
  developer: 'Developer API',
  business: 'Adwuma mpeneeɛ',
  team: 'Kuo',
  profile: 'Wo ho nsɛm',
  help: 'Mmoa',
  suspended: 'Wɔagyae account yi. Wobɛtumi ahwɛ, nanso worentumi ntɔ hwee na worentumi nsesa hwee. Bisa yɛn deɛ enti.',
  viewer: 'Wobɛtumi ahwɛ wɔ ha, na worentumi ntɔ. Sɛ wohia pii a, ka kyerɛ account wura no.',
}

export const moreWords: Translated<typeof moreEnglish> = {
  '/customers': 'Din ne nɔma, na woatumi atɔ bio',
  '/prices': 'Boɔ a wogye, ne wo mfasoɔ',
  '/wallet': 'Sika a aka, deɛ akɔ ne deɛ aba',
  '/top-up': 'Fa mobile money, card anaa transfer tua',
  '/team': 'Wɔn a wo ne wɔn yɛ adwuma, ne deɛ wɔtumi yɛ',
  '/business': 'Bisa na wɔnpene wo adwuma so',
  '/notices': 'Deɛ yɛde e-mail ne SMS ka kyerɛ wo',
  '/profile': 'Password, second factor, ahosuo',
  '/help': 'Kasa kyerɛ yɛn, bɔ ɔhaw ho amaneɛ',
  '/developer': 'Keys a wo programs de tɔ adeɛ',
  '/requests': 'Deɛ wo programs bisaeɛ, ne mmuaeɛ',
}

export const homeWords: Translated<typeof homeEnglish> = {
  statement: 'Statement',
  week: 'Nna 7 a atwam',
  again: 'Tɔ bio',
  profit: 'Mfasoɔ',
  newest: 'Orders foforɔ',
  others: 'Wo wallets a aka',
  commissionWhat: 'Woanya; wobɛtumi de akɔ main wallet mu',
  smsWhat: 'Credit baako tua SMS baako',
  noOrders: 'Wontɔnn hwee da',
  noOrdersNext: 'Sɛ wotɔ adeɛ a ɛdi kan a, ɛba ha ntɛm ara.',
  keyWaits: {
    standard: 'Standard key no retwɛn',
    commission: 'Commission key no retwɛn',
    sms: 'SMS key no retwɛn',
  },
  keyNext: (when: string) => `Ɛsɛ sɛ yɛpene so. Wobisaeɛ ${when}.`,
  waits: 'Ɛretwɛn',
  slow: 'Ɛrekyɛ',
  belowLimit: (limit: string) => `Ɛwɔ ${limit} a wohyɛeɛ no ase.`,
  lowTitle: 'Wo sika a aka sua',
  beforeNotCounted: 'Wɔnkanee nnanson (7) a ɛdi anim no da.',
  drawnToday: 'Deɛ woatɔn ɛnnɛ, dɔnhwere biara, ne ɛda korɔ no ara nnawɔtwe a atwam',
  drawnWeek: 'Deɛ woatɔn nnanson a atwam no',
  today: { night: 'anadwo yi', morning: 'anɔpa yi', afternoon: 'awia yi', evening: 'anwummerɛ yi' },
  onDay: {
    night: (day: string) => `${day} anadwo`,
    morning: (day: string) => `${day} anɔpa`,
    afternoon: (day: string) => `${day} awia`,
    evening: (day: string) => `${day} anwummerɛ`,
  },
  lasts: (days: number) => {
    if (days < 1) return 'Aka nea ɛnnu da koro'
    return `Aka bɛyɛ nna ${days}`
  },
  pace: (perDay: string) => `Wotɔn ${perDay} da biara.`,
  topUpBefore: (moment: string) => `Fa sika gu mu ansa na ${moment} aduru.`,
  compare: (count: number, before: number, day: string) => {
    if (count === before) return `Orders ${count}, deɛ wotuaeɛ, te sɛ ${day} a atwam no saa berɛ yi`
    const apart = Math.abs(count - before)
    return `Orders ${count}, deɛ wotuaeɛ, ${count > before ? 'ɛboro' : 'ɛsua sene'} ${day} a atwam no so ${apart}`
  },
  moreThanWeekBefore: (difference: string) => `Ɛboro nnanson (7) a ɛdi anim no so ${difference}`,
  lessThanWeekBefore: (difference: string) => `Ɛsua sene nnanson (7) a ɛdi anim no ${difference}`,
  moreQueued: (count: number) => `Orders a ɛboro ${count} retwɛn sɛ wɔbɛtwerɛ nɔma no`,
  needs: {
    queued: (count: number) => `Orders ${count} retwɛn sɛ wɔbɛtwerɛ nɔma no`,
    slow: (count: number) => `Orders ${count} adi boro dɔnhwere baako`,
    failed: (count: number) => `Orders ${count} anyɛ yie ɛnnɛ`,
  },
}

export const setUpWords: Translated<typeof setUpEnglish> = {
  tryFirst: 'Fa test key sɔ hwɛ',
  tryFirstDetail: 'Adetɔ mũ a wɔde agodie sika yɛ, wɔ simma kakra mu.',
  title: 'Deɛ ɛdi kan',
  progress: (done: number, all: number) => `${all} mu ${done} awie`,
  next: 'Deɛ ɛdi hɔ',
  waits: 'Ɛretwɛn',
  later: 'Akyire yi',
  dismiss: 'Fa yeinom sie',
  question: 'Wotɔn adeɛ sɛn?',
  questionHint: 'Wobɛtumi asesa no berɛ biara, na wobɛtumi ayɛ mmienu no nyinaa.',
  ways: { hand: 'Me ara metɔn', program: 'Me program tɔn' },
  stepsFor: { hand: 'Anammɔn ma wo ara wo adetɔn', program: 'Anammɔn ma program' },
  steps: {
    email: { title: 'Si wo e-mail so dua', detail: 'Bue link a ɛwɔ e-mail no mu.' },
    phone: { title: 'Si wo fon nɔma so dua', detail: 'Code bɛba SMS so.' },
    two_factor: {
      title: 'Sɔ second factor no',
      detail: 'Owifoɔ a ɔwɔ wo password nanso ɔnni wo fon ntumi nkɔ mu.',
    },
    role: { title: 'Bɛyɛ agent anaa dealer', detail: 'Wɔtɔ no fo. Yɛn na yɛma wo account role: bisa yɛn.' },
    policy: { title: 'Gye developer mmara no tom', detail: 'Mmara a ɛfa obiara a ɔwɔ key ho.' },
    key: { title: 'Yɛ key', detail: 'Ɛno na wo program de tɔ adeɛ.' },
    approval: { title: 'Wɔapene key no so', detail: 'Yɛhwɛ, na yɛde e-mail ka kyerɛ wo.' },
    top_up: { title: 'Fa sika gu wo wallet mu', detail: 'Ɛmu na wɔtua order biara.' },
    order: { title: 'Tɔn adeɛ a ɛdi kan', detail: 'Twerɛ nɔma no, paw bundle, na tua.' },
  },
}

export const viewWords: Translated<typeof viewEnglish> = {
  label: 'Wohwɛ app no sɛ adetɔnfoɔ',
  seeing: (account: string) => `Wohwɛ ${account} sɛdeɛ ne wura hwɛ no`,
  readOnly: 'Ɔhwɛ nko ara: wontumi ntɔ hwee na wontumi nsesa hwee.',
  minutesLeft: (minutes: number) => `Aka simma ${minutes}.`,
  end: 'Wie na san kɔ desk no so',
  notEnded: 'Anwie: sɔ hwɛ bio. Ne berɛ so a, ɛno ara wie.',
}

export const helpWords: Translated<typeof helpEnglish> = {
  title: 'Mmoa',
  ask: 'Wohia mmoa?',
  reach: 'Kasa kyerɛ obi',
  whatsapp: 'WhatsApp',
  call: (number: string) => `Frɛ ${number}`,
  nobody: 'Fon nɔma biara nni hɔ a wobɛfrɛ. Bɔ wo haw ho amaneɛ wɔ ha: mmuaeɛ no ba krataafa yi so.',
  report: 'Bɔ ɔhaw ho amaneɛ',
  text: 'Ɛdeɛn na ɛnyɛ yie?',
  textHelp: 'Ka deɛ woyɛeɛ, deɛ na worehwɛ kwan, ne deɛ ɛsiiɛ.',
  send: 'Mena brɛ yɛn',
  sent: 'Yɛamena. Mmuaeɛ no ba krataafa yi so ne nkaebɔ mu.',
  attached: 'Deɛ ɛka ho',
  order: 'Order',
  topUp: 'Top-up',
  request: 'Request id',
  leaveOut: 'Yi firi mu',
  yours: 'Deɛ woabɔ ho amaneɛ',
  none: 'Hwee nni ha',
  noneNext: 'Wo amaneɛbɔ ne mmuaeɛ no wɔ ha.',
  answer: 'Mmuaeɛ',
  about: (what: string, reference: string) => `${what} ${reference}`,
  closed: 'Yɛato mu a yɛammua.',
  aboutOrder: (reference: string) => `Maakye, ɛfa me order ${reference} ho. `,
  aboutTopUp: (reference: string) => `Maakye, ɛfa me top-up ${reference} ho. `,
  lostTitle: 'Wonni back-up code nso?',
  lost: 'Yɛbɛtumi ayi second factor no. Yɛn nnipa di kan hwɛ sɛ ɛyɛ wo ampa.',
  tellLost: 'Me fon ne me codes ayera',
  lostTold:
    'Yɛate, na yɛamena wo e-mail. Yɛn nnipa hwɛ sɛ ɛyɛ wo ampa; ɛtumi di da koro anaa nnanu. Frɛ anaa twerɛ, na ɛbɛyɛ ntɛm. E-mail foforɔ bɛkyerɛ wo sɛdeɛ wobɛhyɛn mu.',
}

export const problemStates: Translated<typeof problemEnglish> = {
  waiting: { word: 'Ɛretwɛn' },
  answered: { word: 'Wɔabua' },
  closed: { word: 'Wɔato mu' },
}

export const mailWords: Translated<typeof mailEnglish> = {
  title: 'Demo yi e-mails',
  lead: 'Demo yi ne suppliers a wɔyɛ nsɔhwɛ na ɛyɛ adwuma, na ɛnni mail server, enti ne mails wɔ ha; foforɔ di kan.',
  none: 'Mail biara nni ha',
  noneNext: 'Sɛ obi bue account, ne werɛ firi password anaa wɔfrɛ no a, mail ba. Ɛgye kakra.',
  to: 'kɔma',
  notKept: 'Ha deɛ, ɛmena ne mails',
  notKeptNext: 'Hwɛ wo ara wo e-mail mu.',
}

export const appFindWords: Translated<typeof appFindEnglish> = {
  button: 'Hwehwɛ',
  hint: 'Hwehwɛ screen, nɔma, reference, adetɔfoɔ…',
  titles: {
    data: 'Tɔ data',
    airtime: 'Tɔ airtime',
    bills: 'Tua bill',
    vouchers: 'Tɔ vouchers',
    afa: 'Kyerɛw din wɔ AFA',
    newMessage: 'Nkrasɛm foforɔ',
    contacts: 'Wo contacts',
    senders: 'Din a ɛmena',
    credits: 'Tɔ SMS credits',
    shop: 'Wo sotɔɔ',
    webhooks: 'Webhooks',
    phone: 'Fon nɔma',
    testKeys: 'Sɔhwɛ keys',
  },
  otherNames: {
    '/': 'mfitiaseɛ sika a aka',
    '/buy': 'tɔ data airtime bills vouchers',
    '/orders': 'deɛ woatɔn',
    '/sms': 'nkrasɛm',
    '/customers': 'adetɔfoɔ nnipa',
    '/prices': 'boɔ mfasoɔ',
    '/wallet': 'sika a aka statement',
    '/top-up': 'fa sika gu mu momo',
    '/team': 'kuo nnipa',
    '/notices': 'nkaebɔ',
    '/profile': 'password second factor',
    '/help': 'mmoa ɔhaw operator',
    '/developer': 'key api nhyehyɛeɛ',
    '/requests': 'log frɛ mfomsoɔ',
  },
}

export const findWords: Translated<typeof findEnglish> = {
  title: 'Hwehwɛ',
  keys: 'Ctrl K',
  label: 'Deɛn na worehwehwɛ?',
  results: 'Deɛ wɔahunu',
  recent: 'Nnansa yi',
  screens: 'Screen ahodoɔ',
  commands: 'Deɛ wobɛtumi ayɛ',
  found: 'Wɔahunu',
  nothing: 'Hwee nni asɛm yi.',
  more: (things: string) => `${things} pii wɔ hɔ: kyerɛw bi ka ho.`,
  help: 'Arrows paw, Enter bue, Escape to mu.',
}
