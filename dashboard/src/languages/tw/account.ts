import type { businessWords as businessEnglish } from '../../app/words/business.ts'
import type { kindWords as kindEnglish, noticeWords as noticeEnglish, pushWords as pushEnglish } from '../../app/words/notices.ts'
import type { teamWords as teamEnglish } from '../../app/words/team.ts'
import type { Translated } from '../translated.ts'

export const businessWords: Translated<typeof businessEnglish> = {
  why: 'Ansa na woamena SMS no, ɛsɛ sɛ wɔpene wo adwuma so. Yɛhwɛ registration no na yɛsi gyinaeɛ.',
  name: 'Adwuma din',
  nameHint: 'Sɛdeɛ wɔatwerɛ no.',
  registrationHint: 'Deɛ ɛfiri Office of the Registrar of Companies, te sɛ BN123456789.',
  purposeHint: 'Wɔn a wobɛmena wɔn, ne deɛ ɛfa ho.',
  ask: 'Bisa mpeneeɛ no',
  askAgain: 'Bisa bio',
  states: { none: 'Wommisaa da', waiting: 'Ɛretwɛn', approved: 'Wɔapene so', declined: 'Wɔapo' },
  acts: {
    none: 'Hyɛ form a ɛwɔ aseɛ no ma.',
    waiting: 'Yɛrehwɛ. Yɛde e-mail ka kyerɛ wo.',
    approved: 'Wobɛtumi ayɛ SMS key na woamena.',
    declined: 'Siesie deɛ ɔkaeɛ no, na bisa bio.',
  },
  reason: 'Deɛ enti a yɛsi gyinaeɛ yi',
  toKey: 'Kɔ SMS key no so',
  ownerOnly: 'Account wura nko ara na ɔbɛtumi abisa.',
}

export const kindWords: Translated<typeof kindEnglish> = {
  low_balance: 'Wo sika a aka sua',
  order_refunded: 'Order a adi boro da koro sika asan aba',
  report_answered: 'Wɔabua wo amaneɛbɔ bi',
  problem_answered: 'Wɔabua ɔhaw a wobɔɔ ho amaneɛ',
  role_expires: 'Wo role rebɛwie',
  campaign_stopped: 'Yɛagyae anaa yɛatwa campaign bi mu',
  sender_approved: 'Wɔapene din a ɛmena bi so',
  sender_rejected: 'Wɔapo din a ɛmena bi',
  business_approved: 'Wo account abɛyɛ adwuma',
  business_declined: 'Wɔapo wo abisadeɛ sɛ wobɛyɛ adwuma',
  top_up_credited: 'Wɔapene wo transfer bi so',
  top_up_declined: 'Wɔapo wo top-up bi',
  key_approved: 'Wɔapene key bi so',
  key_revoked: 'Wɔagye key bi',
  webhook_paused: 'Nsɛm a yɛde kɔ wo server no agyina',
  floor_asked: 'Yɛabisa wo fon top-up',
  floor_not_asked: 'Yɛantumi ammisa wo fon top-up',
}

export const noticeWords: Translated<typeof noticeEnglish> = {
  lowBalance: 'Ka kyerɛ me sɛ sika a aka sua sene',
  lowBalanceHint: 'Wɔ GHS mu. Sɛ wompɛ koraa a, gya no kwa.',
  phone: 'Fon a SMS kɔ so',
  phoneHint: 'Sɛ wompɛ SMS a, gya no kwa.',
  smsOff: 'Yɛmmena SMS seesei. Mails kɔ',
  mailsTo: 'Mails kɔ',
  choices: 'Yi deɛ yɛnka nkyerɛ wo',
  what: 'Deɛ yɛnka nkyerɛ wo',
  mail: 'Mail',
  always: 'Mail daa, ma wo banbɔ',
  saved: 'Yɛakora so',
  sent: 'Deɛ yɛaka akyerɛ wo',
  none: 'Hwee nni ha',
  noneNext: 'E-mail ne SMS a ɛfa wo account ho wɔ ha.',
  more: 'Kyerɛ nkaebɔ dada',
}

export const pushWords: Translated<typeof pushEnglish> = {
  title: 'Fon yi so',
  lead: 'Fon yi bɛtumi aka akyerɛ wo ntɛm ara, sɛ app no ato mu mpo a. Ɛnkyerɛ sika dodoɔ, din anaa nɔma mũ. Wo browser adwuma no de nkrasɛm no ba na ɛntumi nkenkan. Sɛ wofiri mu a, ɛgyae.',
  what: 'Deɛ yɛnka',
  kinds: {
    delivered: 'Order a wɔtɔɔ wɔ app no mu adu',
    failed: 'Order a wɔtɔɔ wɔ app no mu annu',
    credited: 'Top-up bi wɔ wallet no mu',
  },
  on: 'Ka kyerɛ me wɔ fon yi so',
  isOn: 'Fon yi ka kyerɛ wo',
  off: 'Nka nkyerɛ me bio',
  nothing: 'Paw baako anyɛ yie koraa, anaa dum.',
  denied: 'Wo browser mma kwan. Ma site yi kwan wɔ wo browser settings mu, na sɔ hwɛ bio.',
  notReady: 'App no nyɛɛ krado. San bue krataafa no, na sɔ hwɛ bio.',
  noService: 'Yɛnnyaa wo browser adwuma no. Sɛ wonya connection a, sɔ hwɛ bio.',
  impossible: 'Browser yi ntumi nyɛ. Sɛ ɛyɛ iPhone a, di kan fa app no to home screen no so, na bue no wɔ hɔ.',
}

export const teamWords: Translated<typeof teamEnglish> = {
  members: 'Kuo mma',
  withFactor: 'Second factor wɔ so',
  withoutFactor: 'Second factor nni so',
  invitedUntil: 'bɛtumi aba kɔsi',
  roleMeans: {
    owner: 'biribiara: keys, sika, kuo',
    buyer: 'tɔ, mena SMS, de sika gu mu',
    viewer: 'hwɛ biribiara, nsesa hwee',
  },
  changeNamed: (name: string) => `Sesa ${name}`,
  saveRole: 'Kora role no so',
  boughtToday: (bought: string, orders: number) => (orders === 0 ? 'Ɔntɔɔ hwee ɛnnɛ' : `${bought} ɛnnɛ, orders ${orders}`),
  left: (left: string, limit: string) => `${limit} mu aka ${left}`,
  perDay: 'Deɛ ɔtumi sɛe da biara (GHS)',
  perDayHelp: 'Sɛ anohyetoɔ nni hɔ a, gya no kwa. Biribiara a saa onipa yi tɔ wɔ ha ka ho.',
  saveLimit: 'Kora anohyetoɔ no so',
  ordersOf: 'Hwɛ ne orders',
  remove: 'Yi no firi kuo no mu',
  removeWarning: 'Ne sessions wie ntɛm ara. Orders ne sika tena hɔ sɛdeɛ ɛteɛ.',
  removeConfirm: 'Yi no seesei',
  inviteLead: 'Ɔnya e-mail a link wɔ mu. Sɛ ɔbue a, na ɔwɔ wo kuo no mu.',
  invitationSent: (email: string) => `Ɔfrɛ a ɛkɔ ${email} da kwan so. Ɛyɛ adwuma nnansa.`,
  withdrawNamed: (email: string) => `Twe ${email} frɛ no san`,
  alone: 'Wo nko ara na wowɔ wo kuo no mu',
  aloneNext: 'Frɛ obiara a wo ne no tɔn adeɛ: ma no role a ɛfata, na mfa wo password mma obi da.',
}
