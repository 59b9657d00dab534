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
  isLoading: 'Chargement',
  noAnswer: {
    offline: { title: 'Vous êtes hors ligne', next: 'Réessayez quand vous avez une connexion.' },
    late: { title: 'Pas encore de réponse', next: 'La réponse prend trop de temps. Réessayez.' },
    unreached: {
      title: 'Makola est injoignable',
      next: 'Aucune réponse n’est venue. Vérifiez votre connexion, puis réessayez.',
    },
    unknown: {
      title: 'Pas encore connu',
      next: 'Makola ne sait pas encore comment cela s’est terminé. Demandez à nouveau dans une minute.',
    },
  },
  statuses: {
    502: 'Makola redémarre. Réessayez dans une minute.',
    503: 'Makola est en mise à jour, ou a trop à faire. Réessayez dans une minute.',
    504: 'Makola n’a pas répondu à temps. Réessayez dans une minute.',
  },
  noReason: 'Le serveur n’a pas pu le faire. Réessayez.',
  refused: 'Cela n’a pas marché',
  notAllRead: 'Une partie de cet écran n’a pas pu être lue : elle manque ou elle est ancienne',
  tryAgain: 'Réessayer',
  waitMinutes: (minutes: number) => `Réessayez dans ${minutes} min.`,
  skipToContent: 'Aller au contenu',
  offline: 'Vous êtes hors ligne. Ce que vous voyez peut être ancien, et rien n’est envoyé avant votre retour.',
  notFound: 'Cette page n’existe pas',
  notFoundNext: 'L’adresse est peut-être mal tapée, ou la page a changé de place.',
  toFirstScreen: 'Aller au premier écran',
  notLoaded: 'Cet écran ne s’est pas chargé',
  screenBroke:
    'Quelque chose ne va pas de notre côté. Chargez l’écran à nouveau ; votre argent et vos commandes sont en sécurité.',
  cancel: 'Annuler',
  close: 'Fermer',
  back: 'Retour',
  incidents: 'Ce que nous disons à tous',
  incidentLevels: { news: 'Info :', trouble: 'Difficulté :', outage: 'Panne :' },
  notCounted: 'Pas encore compté',
}

export const countedWords: Translated<typeof countedEnglish> = {
  notCountedWithin: 'pas encore compté',
  since: (day: string) => `depuis le ${day}`,
  nothingCounted: 'Ces jours sont en train d’être comptés. Les chiffres arrivent tout seuls.',
  countedSince: (day: string) =>
    `Compté depuis le ${day}. Les jours d’avant sont en train d’être comptés, et leurs chiffres arrivent tout seuls.`,
  pdfPart: (part: number, parts: number) => `PDF ${part} sur ${parts}`,
  pdfParts: 'Un long mois vient en plusieurs PDF. Chacun prend quelques secondes, puis votre navigateur l’enregistre.',
}

export const goodsNames: Translated<typeof goodsEnglish> = {
  data: 'data',
  airtime: 'crédit d’appel',
  utilities: 'facture',
  results_checker: 'bon',
  afa: 'AFA',
  sms: 'SMS',
}

export const goodsWithName: Translated<typeof goodsWithNameEnglish> = {
  of: (who: string, goods: string) => `${goods} ${who}`,
}

export const codeWords: Translated<typeof codeEnglish> = {
  ghana_water: 'Ghana Water',
  no_definitive_answer: 'aucune nouvelle du fournisseur',
  cannot_ask: 'le fournisseur ne peut pas être interrogé',
  route_missing: 'aucune voie',
  supplier_missing: 'ce fournisseur n’existe pas',
  not_offered: 'personne ne le propose',
  request_rejected: 'les fournisseurs refusent ce que nous demandons',
  not_registered: 'le numéro n’est pas enregistré',
  platform_rejected: 'le fournisseur nous refuse',
  supplier_unreachable: 'le fournisseur est injoignable',
  route_paused: 'la voie est en pause',
}

export const momentWords: Translated<typeof momentEnglish> = {
  soon: 'dans un instant',
  justNow: 'à l’instant',
  minutes: (count: number) => `${count} min`,
  hours: (count: number) => `${count} h`,
  ahead: (time: string) => `dans ${time}`,
  ago: (time: string) => `il y a ${time}`,
  today: (time: string) => `aujourd’hui ${time}`,
  tomorrow: (time: string) => `demain ${time}`,
  yesterday: (time: string) => `hier ${time}`,
}

export const noticeStates: Translated<typeof noticeEnglish> = {
  queued: { word: 'En attente' },
  sending: { word: 'En route' },
  sent: { word: 'Envoyé' },
  failed: { word: 'Pas envoyé' },
}

export const roleNames: Translated<typeof roleEnglish> = { customer: 'Client', agent: 'Agent', dealer: 'Dealer' }

export const memberRoles: Translated<typeof memberEnglish> = {
  owner: 'Propriétaire',
  buyer: 'Acheteur',
  viewer: 'Lecteur',
}

export const roleTimeWords: Translated<typeof roleTimeEnglish> = {
  until: (role: string, day: string) => `${role} jusqu’au ${day}`,
  ended: (role: string, before: string, day: string) => `${role} (${before} jusqu’au ${day})`,
}
