import type { customerWords as customerEnglish } from '../../app/words/customers.ts'
import type {
  orderWords as orderEnglish,
  productWords as productEnglish,
  stateWords as stateEnglish,
  stepWords as stepEnglish,
  voucherWords as voucherEnglish,
  waitWords as waitEnglish,
} from '../../app/words/orders.ts'
import type { priceWords as priceEnglish, shopWords as shopEnglish } from '../../app/words/prices.ts'
import type { receiptWords as receiptEnglish } from '../../app/words/receipts.ts'
import type { Translated } from '../translated.ts'

export const stateWords: Translated<typeof stateEnglish> = {
  queued: { word: 'Ɛto santen' },
  pending: { word: 'Woatɔ' },
  processing: { word: 'Ɛrekɔ' },
  completed: { word: 'Adu' },
  failed: { word: 'Anyɛ yie' },
  refunded: { word: 'Sika asan aba' },
  cancelled: { word: 'Wɔatwa mu' },
}

export const productWords: Translated<typeof productEnglish> = {
  data: 'Data',
  airtime: 'Airtime',
  utilities: 'Bills',
  results_checker: 'Vouchers',
  afa: 'AFA',
  sms: 'SMS',
}

export const stepWords: Translated<typeof stepEnglish> = {
  paid: { words: () => 'Wɔatua' },
  waits_for_registration: { words: () => 'Ɛretwɛn: MTN ntwerɛɛ nɔma yi da' },
  registered: { words: () => 'Wɔatwerɛ nɔma no' },
  sent: { words: () => 'Yɛamena' },
  sent_again: { words: () => 'Yɛamena kwan foforɔ so' },
  taken: { words: () => 'Wɔagye, ɛda kwan so' },
  no_answer: { words: () => 'Mmuaeɛ pefee mmaeɛ. Yɛbisa kɔsi sɛ yɛbɛhunu; yɛmmena mprenu' },
  asked: { words: (count) => (count === 1 ? 'Yɛhwɛɛ baabi a aduru' : `Yɛhwɛɛ baabi a aduru mprɛ ${count ?? 0}`) },
  turned_away: { words: () => 'Antumi amfa saa kwan yi so' },
  delivered: { words: () => 'Adu' },
  failed: { words: () => 'Annu' },
  cancelled: { words: () => 'Wɔatwa mu' },
  refunded: { words: () => 'Sika no asan aba wo wallet mu' },
  reported: { words: () => 'Wokaa sɛ annu' },
  answered: { words: () => 'Yɛabua' },
}

export const waitWords: Translated<typeof waitEnglish> = {
  registration: 'Sɛ MTN twerɛ nɔma no a, ɛno ara kɔ. Sɛ ɛmma saa da a, wo sika san ba.',
  answer: 'Yɛamena, nanso yɛnnim sɛdeɛ ɛkɔɔ. Yɛbisa kɔsi sɛ yɛbɛhunu.',
  supplier: 'Yeinom rekyɛ seesei. Sɛ ɛyɛ adwuma bio ara pɛ a, ɛno ara kɔ.',
  person: 'Obi reyɛ ho adwuma.',
}

export const orderWords: Translated<typeof orderEnglish> = {
  slow: 'Berɛ a agye',
  slowOnly: 'Boro dɔnhwere baako',
  search: 'Reference anaa nɔma',
  emptyNext: 'Deɛ wotɔ wɔ ha, ne deɛ wo program de API tɔ, wɔ ha ne ne tebea.',
  sources: { api: 'wo program (API)', dashboard: 'app yi' },
  timeline: 'Deɛ asi',
  copyReceipt: 'Copy receipt no',
  vouchers: 'Vouchers',
  serial: 'Serial',
  copyPin: 'Copy PIN no',
  copyVouchers: 'Copy ne nyinaa',
  share: 'Kyɛ',
  showVouchers: 'Kyerɛ vouchers no',
  notDelivered: 'Annu?',
  notDeliveredWhy: 'Ka kyerɛ yɛn. Yɛhwehwɛ mu, na yɛn mmuaeɛ ba krataafa yi so.',
  note: 'Ɛdeɛn na wonim fa ho? (wopɛ a)',
  report: 'Annu',
  reportWaits: 'Wo amaneɛbɔ no retwɛn yɛn mmuaeɛ',
  answer: 'Mmuaeɛ',
  toCustomer: 'kɔma',
  campaign: 'SMS campaign no',
  usually: (minutes: number) => {
    if (minutes < 1) return 'Ɛtaa wie nea ɛnnu simma baako.'
    if (minutes < 90) return `Ɛtaa wie bɛyɛ simma ${Math.round(minutes)}.`
    return `Ɛtaa wie bɛyɛ dɔnhwere ${Math.round(minutes / 60)}.`
  },
}

export const customerWords: Translated<typeof customerEnglish> = {
  search: 'Din anaa nɔma',
  add: 'Fa adetɔfoɔ ka ho',
  new: 'Adetɔfoɔ foforɔ',
  none: 'Adetɔfoɔ biara nni ha',
  noneNext: 'Kora wɔn a wotɔn ma wɔn so, na mia mprenu pɛ tɔ ma wɔn bio.',
  noneFits: 'Obiara nhyia',
  noneFitsNext: 'Hwehwɛ din anaa nɔma foforɔ.',
  more: 'Yeinom ne 100 a ɛdi kan. Hwehwɛ deɛ aka no.',
  name: 'Din',
  numbers: 'Nɔma',
  numbersHint: 'Baako wɔ line biara so: fon, meter anaa smartcard.',
  note: 'Nsɛm (wo nko ara na wohunu)',
  favourite: 'Deɛ wopɛ: ɛwɔ soro daa',
  isFavourite: 'Deɛ wopɛ',
  save: 'Kora so',
  remove: 'Pepa adetɔfoɔ no',
  removeAsk: 'Pepa adetɔfoɔ yi?',
  removeWarning: 'Yɛpepa din, nɔma ne nsɛm no. Orders no tena hɔ sɛdeɛ ɛteɛ.',
  fromPhone: 'Firi me fon so',
  file: 'Firi file mu, ne kɔ file mu',
  importLabel: 'Adetɔfoɔ, baako wɔ line biara so',
  importHint: 'Ama Mensah, 024 123 4567, ɔtua Fiada',
  check: 'Hwɛ mu',
  new_: (count: number) => `Adetɔfoɔ foforɔ ${count}`,
  addThem: (count: number) => `Fa ${count} ka ho`,
  added: (count: number) => `${count} aka ho`,
  known: (count: number) => `${count} wɔ ha dada`,
  wrong: (line: number, given: string) => `Line ${line}: “${given}” nni nɔma a yɛtumi kenkan`,
  moreWrong: (count: number) => `ne lines ${count} bio`,
  buyAgain: 'Tɔ bio',
  buyAgainFor: (who: string) => `Tɔ bio ma ${who}`,
  buyData: 'Tɔ data',
  buyAirtime: 'Tɔ airtime',
  sms: 'Mena SMS',
  ordersOf: 'Orders',
  last: (goods: string, when: string) => `${goods}, ${when}`,
  choose: 'Wo adetɔfoɔ',
}

export const priceWords: Translated<typeof priceEnglish> = {
  earnedToday: 'Deɛ woanya ɛnnɛ',
  earnedWeek: 'Nna 7 a atwam',
  sold: (sold: string, orders: number) => `${sold}, woatɔn mprɛ ${orders} wɔ wo boɔ so`,
  notKnown: 'Hwɛ deɛ wonya',
  notKnownNext:
    'Twerɛ boɔ a wogye wo adetɔfoɔ. Wo nko ara na wohunu; wo ka ne wo wallet nsesa. Akontaa no firi aseɛ wɔ deɛ wobɛtɔn akyire yi.',
  byCustomer: 'Mfasoɔ, adetɔfoɔ biara',
  sales: (orders: number) => `Woatɔn mprɛ ${orders}`,
  share: 'Kyɛ wo boɔ list',
  shareText: 'Kyɛ sɛ nsɛm',
  sharePicture: 'Kyɛ sɛ mfoni',
  copyList: 'Copy list no',
  nothingToShare: 'Di kan twerɛ boɔ; biribiara a woatwerɛ ne boɔ wɔ list no mu.',
  packages: 'Wo boɔ',
  packagesHint: 'Sɛ wogya boɔ no hɔ kwa a, mmara a ɛwɔ aseɛ no na ɛyɛ adwuma.',
  costs: (cost: string) => `wotua ${cost}`,
  earn: (profit: string) => `wonya ${profit}`,
  lose: (loss: string) => `wohwere ${loss}`,
  priceOf: (what: string) => `Wo boɔ ma ${what}`,
  rules: 'Mmara ma deɛ aka nyinaa',
  rulesHint: 'Deɛ wɔde ka wo ka ho, sɛ ɛnni boɔ a ɛyɛ ne deɛ a. Ɔha mu nkyekyɛmu no, yɛma so kɔ GHS 0.10.',
  ruleOf: (product: string) => `${product} mmara`,
  kinds: { none: 'Mmara biara nni', percent: 'Ɔha mu ka ho', add: 'GHS ka ho' },
  onTop: (product: string) => `Deɛ ɛka ${product} ho`,
  save: 'Kora boɔ no so',
  saved: 'Yɛakora so',
  ownerOnly: 'Account wura nko ara na ɔsesa boɔ.',
  shop: 'Sotɔɔ din ne logo',
  call: (phone: string) => `Frɛ anaa WhatsApp ${phone}`,
  products: {
    data: 'Data',
    airtime: 'Airtime',
    utilities: 'Bills',
    results_checker: 'Vouchers',
    afa: 'AFA',
  },
  yourPrice: 'Wo boɔ',
  youEarn: 'Wonya',
}

export const shopWords: Translated<typeof shopEnglish> = {
  title: 'Wo sotɔɔ',
  lead: 'Adetɔfoɔ hunu yei wɔ receipts ne boɔ lists so.',
  name: 'Sotɔɔ no din',
  phone: 'Fon a adetɔfoɔ frɛ (wopɛ a)',
  save: 'Kora so',
  saved: 'Yɛakora so. Firi seesei receipts kyerɛ, dada no nso.',
  logo: 'Logo',
  logoHint: 'PNG anaa JPEG mfoni. Yɛtew so wɔ fon yi so.',
  choose: 'Paw mfoni',
  noPicture: 'Yɛntumi nkenkan file yi sɛ mfoni. Paw PNG anaa JPEG.',
  ownerOnly: 'Account wura nko ara na ɔsesa sotɔɔ no.',
}

export const receiptWords: Translated<typeof receiptEnglish> = {
  title: 'Receipt ma wo adetɔfoɔ',
  lead: 'Krataafa a wo sotɔɔ wɔ so, na ɛkyerɛ sɛ adu anaa. Ɛnkyerɛ deɛ wo tuaeɛ da.',
  withPrice: (price) => `Ɛkyerɛ wo boɔ, ${price}.`,
  withoutPrice: 'Ɛnkyerɛ boɔ biara, ɛfiri sɛ na wonhyɛɛ bi.',
  make: 'Yɛ receipt',
  share: 'Kyɛ',
  whatsApp: 'Fa WhatsApp mena',
  copyLink: 'Copy link no',
  see: 'Hwɛ',
  showNumber: 'Kyerɛ adetɔfoɔ no nɔma wɔ so',
  hideNumber: 'Fa adetɔfoɔ no nɔma sie',
  revoke: 'Pepa receipt no',
  revokeAsk: 'Pepa receipt yi?',
  revokeWarning: 'Link a womenaeɛ no nyɛ adwuma bio. Wobɛtumi ayɛ receipt foforɔ.',
  setShop: 'Twerɛ wo sotɔɔ din ne logo',
}

export const voucherWords: Translated<typeof voucherEnglish> = {
  whatsApp: 'WhatsApp',
  printA4: 'Print wɔ A4 so',
  printRoll: 'Print wɔ roll 58 mm so',
  keepSlip: 'Fa krataa yi sie yie. PIN no ho hia ama results no.',
}
