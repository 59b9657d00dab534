import type {
  campaignWords as campaignEnglish,
  composerWords as composerEnglish,
  contactWords as contactEnglish,
  creditWords as creditEnglish,
  smsWords as english,
  senderWords as senderEnglish,
} from '../../app/words/sms.ts'
import type {
  campaignStates as campaignStatesEnglish,
  cancelledStates as cancelledEnglish,
  cancelReasons as cancelReasonsEnglish,
  deliveryWords as deliveryEnglish,
  messageStates as messageStatesEnglish,
} from '../../both/sms/campaign-words.ts'
import type { Translated } from '../translated.ts'

const figures = new Intl.NumberFormat('en-GH')

const counted = (what: string, count: number) => `${what} ${figures.format(count)}`

const eachGets = (least: number, most: number) =>
  least === most ? `SMS ${figures.format(most)} biara` : `SMS ${figures.format(least)} kɔsi ${figures.format(most)} biara`

export const smsWords: Translated<typeof english> = {
  countCredits: (count: number) => counted('credits', count),
  buyCredits: 'Tɔ credits',
  newMessage: 'Nkrasɛm foforɔ',
  notBusiness: 'SMS hia adwuma account a wɔapene so',
  notBusinessNext: 'Yɛn na yɛpene adwuma biara so kane. Ansa na ɛno aba no, wobɛtumi ahwɛ na woaboa contacts ano wɔ ha.',
  askForApproval: 'Bisa mpeneeɛ',
  key: 'SMS key no',
  keyDetail: 'Ma wo ara wo programs a ɛmena SMS',
  scheduled: 'Ɛwɔ berɛ',
  campaigns: 'Campaigns no',
  drafts: 'Deɛ wonwieeɛ',
  more: 'SMS ho nsɛm bio',
  contacts: 'Contacts',
  contactsDetail: 'Nɔma lists a wɔde hyɛɛ mu anaa ɛfiri spreadsheet mu',
  senders: 'Din a ɛmena',
  sendersDetail: (sender: string) => (sender === '' ? 'Wonni din a ɛmena da' : `Wo SMS firi ${sender}`),
  noCampaigns: 'Wommenaa hwee da',
  noCampaignsNext: 'Twerɛ nkrasɛm, paw wɔn a wɔnya, na hwɛ ne boɔ ansa na akɔ.',
  noText: 'Nsɛm biara nni mu da',
  toNumbers: (count: number) => `kɔ ${counted('nɔma', count)}`,
  goesOut: 'ɛkɔ',
}

export const composerWords: Translated<typeof composerEnglish> = {
  text: 'Wo nsɛm',
  textHint: 'Wo order ayɛ krado. Bra ansa na 6 pm abɔ.',
  count: (characters: number, least: number, most: number) => `${counted('nkyerɛwdeɛ', characters)} · ${eachGets(least, most)}`,
  insertName: 'Fa din hyɛ mu',
  nameNote: '{name} bɛyɛ din a woakora ama nɔma biara, sɛ contact anaa customer.',
  unnamed: (count: number, all: number) => `${figures.format(all)} mu ${figures.format(count)} nni din a woakora`,
  nameFallback: 'Deɛ wobɛtwerɛ asi din no ananmu',
  nameFallbackHint: 'adetɔfoɔ',
  sayFallback: 'Ka deɛ wobɛtwerɛ wɔ baabi a din nni hɔ.',
  firstTexts: 'Nsɛm a ɛdi kan',
  unusual: (character: string, segments: number) => `${character} ma yei yɛ SMS ${figures.format(segments)}`,
  unusualSame: (character: string) => `${character} ma SMS baako gye nkyerɛwdeɛ 70, ɛnyɛ 160`,
  replace: (replacement: string) =>
    replacement === '' ? 'Yi firi mu' : `Fa ${replacement === ' ' ? 'kwan' : replacement} si ananmu`,
  replaceAll: (segments: number | undefined) =>
    segments === undefined ? 'Sesa ne nyinaa' : `Sesa ne nyinaa: SMS ${figures.format(segments)}`,
  blocked: 'Wɔbɛsi nsɛm yi kwan',
  blockedNext: 'Fa wo ara wo din twerɛ, a sika a aka, transaction nɔma anaa receipt nsɛm nka ho.',
  numbersHint: '024 123 4567, +233 20 123 4567',
  lists: 'Wo lists',
  ready: (count: number) => `${counted('nɔma', count)} ayɛ krado`,
  optedOut: (count: number, all: number) => `${figures.format(all)} mu ${figures.format(count)} pɛ sɛ wogyae, enti yɛagya wɔn`,
  waits: (at: string) => `Komm berɛ: ɛbɛkɔ ${at}.`,
  twice: (count: number) => `${figures.format(count)} wɔ hɔ boro prɛko na yɛkan no prɛko`,
  leftOut: (count: number) => `yɛagya ${counted('lines', count)}`,
  why: {
    foreign: 'nyɛ Ghana nɔma',
    too_short: 'yɛ tiaa, ɛsɛ sɛ ɛyɛ nɔma 10',
    too_long: 'yɛ tenten, ɛsɛ sɛ ɛyɛ nɔma 10',
    not_a_number: 'nyɛ nɔma',
  },
  line: (line: number) => `line no ${line}`,
  sender: 'Firi',
  time: 'Da ne berɛ wɔ Accra',
  timeNote: 'Yɛgye credits no seesei. Sɛ wotwa mu ansa na akɔ a, ɛsan ba.',
  timePassed: 'Paw berɛ a ɛbɛba.',
  keep: 'Sie, wiei akyire yi',
  kept: 'Yɛasie. Wohunu no wɔ Deɛ wonwieeɛ mu.',
  cost: (numbers: number, segments: number) => `${counted('nɔma', numbers)} × SMS ${figures.format(segments)}`,
  costOfEach: (numbers: number, least: number, most: number) => `${counted('nɔma', numbers)}, ${eachGets(least, most)}`,
  send: (cost: string) => `Mena, ${cost}`,
  schedule: (cost: string) => `Hyɛ berɛ, ${cost}`,
  confirmSend: 'Mena',
  confirmSchedule: 'Hyɛ berɛ',
  after: 'Credits a ɛbɛka',
  missing: (count: string) => `Wohia ${count} bio.`,
  askSend: (numbers: number) => `Mena kɔ ${counted('nɔma', numbers)}?`,
  askSchedule: (numbers: number, at: string) => `Mena kɔ ${counted('nɔma', numbers)} wɔ ${at}?`,
  sentBefore: 'Deɛ womenaeɛ kane no kɔeɛ ampa',
  sentBeforeNext: 'Connection no tu ansa na mmuaeɛ no reba. Hwɛ ansa na woamena saa nsɛm yi nso:',
  nothingYet: 'Twerɛ nsɛm na ka wɔn a wɔnya.',
  tooMany: 'Campaign baako du nɔma 10,000 pɛ.',
}

export const campaignWords: Translated<typeof campaignEnglish> = {
  title: 'Campaign no',
  of: (part: number, whole: number) => `${figures.format(whole)} mu ${figures.format(part)}`,
  text: 'Nsɛm',
  sender: 'Firi',
  costOf: (credits: string, segments: number, isUpTo: boolean) =>
    `${credits}, SMS ${isUpTo ? 'ɛnsen ' : ''}${figures.format(segments)} biara`,
  back: 'Credits a asan aba',
  leftOut: 'Wɔn a yɛagya wɔn',
  optedOut: (count: number) => `nɔma ${figures.format(count)} pɛɛ sɛ wogyae`,
  goesOut: 'Ɛkɔ',
  by: { api: 'wo program na ɛyɛeɛ', dashboard: 'wɔ app no mu' },
  resume: 'Toa so',
  cancel: 'Twa deɛ aka mu',
  askCancel: 'Twa campaign yi mu?',
  askCancelDetail: 'Yɛmmena deɛ aka no, na ne credits san ba. Deɛ ɛda kwan so no, wontumi mfrɛ nsan.',
  failures: 'Deɛ annu (CSV)',
  numbers: 'Nɔma',
  changed: 'Asesa',
  none: 'Nɔma biara nni saa tebea yi mu',
  previous: 'Deɛ atwam',
  next: 'Deɛ ɛdi hɔ',
  pausedNote: 'Yɛmmena hwee bio kɔsi sɛ wobɛtoa so. Da koro akyi no, deɛ aka no credits no ara san ba.',
  cancelledBy: {
    account: 'Wotwaa mu. Yɛmmenaa deɛ aka no, na ne credits san ba.',
    operator: 'Yɛtwaa mu. Yɛmmenaa deɛ aka no, na ne credits san ba. Wo nkaebɔ ka deɛ enti.',
    platform: 'Wɔtwaa mu. Yɛmmenaa deɛ aka no, na ne credits san ba.',
  },
  blockedNote: 'Mmara a ɛfa nsɛm ho asi saa nsɛm yi kwan. Mmɔdemmɔ yi ammena hwee na annye hwee.',
}

export const senderWords: Translated<typeof senderEnglish> = {
  intro: 'Din a fon kyerɛ wɔ wo nsɛm no atifi.',
  own: 'Wo ara wo deɛ',
  pool: 'Obiara deɛ',
  none: 'Wonni wo ara wo din da',
  noneNext: 'Bisa baako wɔ aseɛ ha. Ansa na wɔapene so no, wo SMS firi din a obiara de yɛ adwuma.',
  states: { requested: 'Ɛretwɛn yɛn', approved: 'Wɔapene so', rejected: 'Wɔapo' },
  isDefault: 'sɛ woammɔ din biara a, yei na yɛde yɛ adwuma',
  makeDefault: 'Fa yɛ adwuma daa',
  ask: 'Bisa din a ɛmena',
  fieldHint: 'Nkyerɛwdeɛ ne nɔma 3 kɔsi 11, sɛdeɛ wo adetɔfoɔ nim wo',
  button: 'Bisa',
  asked: 'Woabisa. Yɛhwɛ, na yɛka kyerɛ wo.',
}

export const contactWords: Translated<typeof contactEnglish> = {
  none: 'List biara nni ha',
  noneNext: 'Yɛ list, na fa nɔma hyɛ mu anaa fa firi spreadsheet mu.',
  count: (count: number) => counted('nɔma', count),
  newList: 'List foforɔ',
  listName: 'List no din',
  make: 'Yɛ list',
  forget: 'Pepa nɔma bi',
  forgetDetail: 'Nɔma no firi lists a wode mena SMS nyinaa mu. Sɛ obi se gyae a, yɛkora.',
  forgetButton: 'Pepa',
  forgotten: (count: number) => (count === 0 ? 'Ɛnni wo lists biara mu.' : `Yɛayi firi ${counted('lists', count)} mu.`),
  optedOut: 'Wɔn a wɔse gyae',
  optedOutDetail: (count: number) => (count === 0 ? 'Obiara nni hɔ' : `nɔma ${figures.format(count)}, campaigns gya wɔn`),
  optedOutNote:
    'Campaigns gya saa nɔma yi. Obi yi wo sender no ano STOP a, ɛka ho ankasa, baabi a network no de mmuaeɛ ba. SMS a ɛkɔ nɔma baako pɛ da so kɔ.',
  add: 'Fa nɔma ka ho',
  addField: 'Nɔma, ne din sɛ wopɛ a',
  addHint: 'Ama Mensah, 024 123 4567',
  check: 'Hwɛ mu',
  addThem: (count: number) => `Fa ${counted('nɔma', count)} ka ho`,
  nothingNew: 'Foforɔ biara nni mu',
  new: (count: number) => `${counted('nɔma', count)} yɛ foforɔ`,
  known: (count: number) => `${figures.format(count)} wɔ list no mu dada`,
  added: (count: number) => `${counted('nɔma', count)} aka ho`,
  empty: 'Hwee nni list yi mu',
  send: 'Twerɛ kɔma list yi',
  deleteList: 'Pepa list yi',
  askDelete: 'Pepa list yi ne ne nɔma?',
  first: 'San kɔ deɛ ɛdi kan',
}

export const creditWords: Translated<typeof creditEnglish> = {
  title: 'Tɔ SMS credits',
  intro: 'Credit baako mena SMS baako kɔ nɔma baako.',
  now: 'Credits seesei',
  packs: 'Packs no',
  each: (pesewas: string) => `pesewas ${pesewas} biara`,
  none: 'Yɛntɔn packs wɔ ha',
  noneNext: 'Bisa yɛn credits.',
  buy: (amount: string) => `Tɔ no ${amount}`,
  ask: (credits: string) => `Tɔ ${credits}?`,
  confirm: 'Tɔ',
  bought: (credits: string) => `Woatɔ ${credits}`,
  tooLittle: (amount: string) => `Wo wallet wɔ ${amount}. Di kan fa sika gu mu.`,
  wallet: 'Deɛ ɛbɛka wɔ wallet no mu',
}

export const campaignStates: Translated<typeof campaignStatesEnglish> = {
  scheduled: { word: 'Ɛwɔ berɛ' },
  queued: { word: 'Ɛretwɛn' },
  sending: { word: 'Ɛrekɔ' },
  paused: { word: 'Agyina' },
  sent: { word: 'Akɔ' },
  failed: { word: 'Anyɛ yie' },
  cancelling: { word: 'Ɛregyae' },
  cancelled: { word: 'Wɔatwa mu' },
  blocked: { word: 'Wɔasi kwan' },
}

export const deliveryWords: Translated<typeof deliveryEnglish> = {
  delivered: 'adu',
  sent: 'ɛda kwan so',
  queued: 'yɛmmenaa da',
  failed: 'annu',
}

export const messageStates: Translated<typeof messageStatesEnglish> = {
  queued: { word: 'Yɛmmenaa da' },
  sent: { word: 'Ɛda kwan so' },
  delivered: { word: 'Adu' },
  undelivered: { word: 'Annu' },
  failed: { word: 'Wɔapo' },
  expired: { word: 'Annu berɛ mu' },
  rejected: { word: 'Wɔampene' },
}

export const cancelledStates: Translated<typeof cancelledEnglish> = {
  account: { word: 'Ankɔ, wotwaa mu' },
  operator: { word: 'Ankɔ, yɛn na yɛtwaa mu' },
  platform: { word: 'Ankɔ, wɔatwa mu' },
}

export const cancelReasons: Translated<typeof cancelReasonsEnglish> = {
  account_suspended: 'Berɛ a anka ɛrekɔ no, na wɔagyae account no, enti hwee ankɔ.',
  no_business_account: 'Berɛ a anka ɛrekɔ no, na account no nyɛ adwuma a wɔapene so bio, enti hwee ankɔ.',
  sender_not_approved: 'Berɛ a anka ɛrekɔ no, na wɔmpenee din a ɛmena no so bio, enti hwee ankɔ.',
}
