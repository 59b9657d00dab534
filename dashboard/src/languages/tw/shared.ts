import type { countedWords as countedEnglish } from '../../both/counted-words.ts'
import type { goodsNames as goodsEnglish, goodsWithName as goodsWithNameEnglish } from '../../both/goods-words.ts'
import type { codeWords as codeEnglish } from '../../both/in-words.ts'
import type { momentWords as momentEnglish } from '../../both/moments/format-moment.ts'
import type { noticeStates as noticeEnglish } from '../../both/notice-states.ts'
import type {
  memberRoles as memberEnglish,
  roleNames as roleEnglish,
  roleTimeWords as roleTimeEnglish,
} from '../../both/role-words.ts'
import type { sharedWords as english } from '../../both/words.ts'
import type { Translated } from '../translated.ts'

export const sharedWords: Translated<typeof english> = {
  isLoading: 'Ɛreba',
  noAnswer: {
    offline: { title: 'Wonni internet so', next: 'Sɛ wonya connection a, sɔ hwɛ bio.' },
    late: { title: 'Mmuaeɛ mmaeɛ', next: 'Mmuaeɛ no rekyɛ dodo. Sɔ hwɛ bio.' },
    unreached: { title: 'Yɛnnya Makola', next: 'Mmuaeɛ biara amma. Hwɛ wo connection, na sɔ hwɛ bio.' },
    unknown: { title: 'Yɛnnim', next: 'Makola nnim sɛdeɛ ɛkɔɔ. Bisa bio simma akyi.' },
  },
  statuses: {
    502: 'Makola refi aseɛ bio. Sɔ hwɛ bio simma akyi.',
    503: 'Wɔresiesie Makola, anaa adwuma abu no so. Sɔ hwɛ bio simma akyi.',
    504: 'Makola ammua ntɛm. Sɔ hwɛ bio simma akyi.',
  },
  noReason: 'Server no antumi anyɛ. Sɔ hwɛ bio.',
  refused: 'Ɛno anyɛ yie',
  notAllRead: 'Krataafa yi bi antumi amma, enti ebi nni so anaa ɛyɛ dada',
  tryAgain: 'Sɔ hwɛ bio',
  waitMinutes: (minutes: number) => `Sɔ hwɛ bio simma ${minutes} akyi.`,
  skipToContent: 'Kɔ nsɛm no so',
  offline: 'Wonni internet so. Deɛ wohunu no bɛtumi ayɛ dada, na yɛremmena hwee kɔsi sɛ wobɛsan aba.',
  notFound: 'Krataafa yi nni hɔ',
  notFoundNext: 'Ebia woatwerɛ address no mfomsoɔ, anaa krataafa no atu.',
  toFirstScreen: 'Kɔ krataafa a ɛdi kan',
  notLoaded: 'Krataafa yi amma',
  screenBroke: 'Biribi asɛe wɔ yɛn fa. San bue; wo sika ne wo orders nni ɔhaw biara.',
  cancel: 'Gyae',
  close: 'To mu',
  back: 'San kɔ',
  incidents: 'Deɛ yɛka kyerɛ obiara',
  incidentLevels: { news: 'Asɛm:', trouble: 'Ɔhaw:', outage: 'Agyae:' },
  notCounted: 'Wɔnkanee da',
}

export const countedWords: Translated<typeof countedEnglish> = {
  notCountedWithin: 'wɔnkanee da',
  since: (day: string) => `firi ${day}`,
  nothingCounted: 'Wɔrekan saa nna yi seesei. Dodoɔ no ara bɛba.',
  countedSince: (day: string) => `Wɔakan firi ${day}. Wɔrekan nna a ɛdi anim no, na ɛno ara bɛba.`,
  pdfPart: (part: number, parts: number) => `PDF ${part} wɔ ${parts} mu`,
  pdfParts: 'Bosome tenten ba PDF bebree mu. Biara gye kakra, na wo browser kora so.',
}

export const goodsNames: Translated<typeof goodsEnglish> = {
  data: 'data',
  airtime: 'airtime',
  utilities: 'bill',
  results_checker: 'voucher',
  afa: 'AFA',
  sms: 'SMS',
}

export const goodsWithName: Translated<typeof goodsWithNameEnglish> = {
  of: (who: string, goods: string) => `${who} ${goods}`,
}

export const codeWords: Translated<typeof codeEnglish> = {
  ghana_water: 'Ghana Water',
  no_definitive_answer: 'supplier no nkaa hwee',
  cannot_ask: 'yɛntumi mmisa supplier no',
  route_missing: 'kwan biara nni hɔ',
  supplier_missing: 'saa supplier no nni hɔ',
  not_offered: 'obiara ntɔn bi',
  request_rejected: 'suppliers no po deɛ yɛbisa',
  not_registered: 'wɔntwerɛɛ nɔma no',
  platform_rejected: 'supplier no po yɛn',
  supplier_unreachable: 'yɛnnya supplier no',
  route_paused: 'wɔagyae kwan no kakra',
}

export const momentWords: Translated<typeof momentEnglish> = {
  soon: 'seesei ara',
  justNow: 'seesei ara',
  minutes: (count: number) => `simma ${count}`,
  hours: (count: number) => `dɔnhwere ${count}`,
  ahead: (time: string) => `${time} akyi`,
  ago: (time: string) => `${time} a atwam`,
  today: (time: string) => `ɛnnɛ ${time}`,
  tomorrow: (time: string) => `ɔkyena ${time}`,
  yesterday: (time: string) => `ɛnnora ${time}`,
}

export const noticeStates: Translated<typeof noticeEnglish> = {
  queued: { word: 'Ɛretwɛn' },
  sending: { word: 'Ɛda kwan so' },
  sent: { word: 'Akɔ' },
  failed: { word: 'Ankɔ' },
}

export const roleNames: Translated<typeof roleEnglish> = { customer: 'Adetɔfoɔ', agent: 'Agent', dealer: 'Dealer' }

export const memberRoles: Translated<typeof memberEnglish> = { owner: 'Wura', buyer: 'Ɔtɔfoɔ', viewer: 'Ɔhwɛfoɔ' }

export const roleTimeWords: Translated<typeof roleTimeEnglish> = {
  until: (role: string, day: string) => `${role} kɔsi ${day}`,
  ended: (role: string, before: string, day: string) => `${role} (${before} kɔsi ${day})`,
}
