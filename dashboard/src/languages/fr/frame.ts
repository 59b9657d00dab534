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
  more: 'Plus',
  notices: 'Avis',
  orders: 'Commandes',
  requestLog: 'Journal des appels',
  sms: 'SMS',
  topUp: 'Recharger',
  wallet: 'Portefeuille',
  name: 'Makola',
  navigation: 'Écrans',
  groups: { shop: 'Votre boutique', money: 'Argent', account: 'Votre compte', programs: 'Pour les programmes' },
  home: 'Accueil',
  buy: 'Acheter',
  customers: 'Clients',
  prices: 'Prix et bénéfice',
  developer: 'API développeurs',
  business: 'Agrément entreprise',
  team: 'Équipe',
  profile: 'Profil',
  help: 'Aide',
  suspended: 'Ce compte est suspendu. Vous pouvez regarder, mais rien acheter ni changer. Demandez-nous la raison.',
  viewer: 'Ici vous pouvez regarder, pas acheter. Adressez-vous au propriétaire du compte s’il vous faut plus.',
}

export const moreWords: Translated<typeof moreEnglish> = {
  '/customers': 'Noms et numéros, pour racheter vite',
  '/prices': 'Vos prix, et ce que vous gagnez',
  '/wallet': 'Solde, mouvements, relevé du mois',
  '/top-up': 'Par mobile money, carte ou virement',
  '/team': 'Qui travaille avec vous, et avec quels droits',
  '/business': 'Demander l’agrément comme entreprise',
  '/notices': 'Ce que nous vous disons par e-mail et SMS',
  '/profile': 'Mot de passe, deuxième facteur, couleurs',
  '/help': 'Nous parler, signaler un problème',
  '/developer': 'Les clés avec lesquelles vos programmes achètent',
  '/requests': 'Les appels de vos programmes, et les réponses',
}

const orders = (count: number) => `${count} ${count < 2 ? 'commande' : 'commandes'}`

export const homeWords: Translated<typeof homeEnglish> = {
  statement: 'Relevé',
  week: '7 derniers jours',
  again: 'Racheter',
  profit: 'Bénéfice',
  newest: 'Dernières commandes',
  others: 'Vos autres portefeuilles',
  commissionWhat: 'Gagnée, à transférer vers le portefeuille principal',
  smsWhat: 'Un crédit paie un SMS simple',
  noOrders: 'Rien de vendu encore',
  noOrdersNext: 'Votre première commande apparaît ici dès qu’elle est passée.',
  keyWaits: {
    standard: 'La clé standard attend',
    commission: 'La clé commission attend',
    sms: 'La clé SMS attend',
  },
  keyNext: (when: string) => `Nous devons l’approuver. Demandée ${when}.`,
  waits: 'En attente',
  slow: 'Trop long',
  belowLimit: (limit: string) => `Sous ${limit}, la limite que vous avez fixée.`,
  lowTitle: 'Votre solde est bas',
  beforeNotCounted: 'Les 7 jours d’avant ne sont pas encore comptés.',
  drawnToday: 'Ventes d’aujourd’hui par heure, et du même jour la semaine passée',
  drawnWeek: 'Ventes des sept derniers jours',
  today: { night: 'cette nuit', morning: 'ce matin', afternoon: 'cet après-midi', evening: 'ce soir' },
  onDay: {
    night: (day: string) => `${day} dans la nuit`,
    morning: (day: string) => `${day} matin`,
    afternoon: (day: string) => `${day} après-midi`,
    evening: (day: string) => `${day} soir`,
  },
  lasts: (days: number) => {
    if (days < 1) return 'Il reste moins d’un jour'
    return days === 1 ? 'Il reste environ 1 jour' : `Il reste environ ${days} jours`
  },
  pace: (perDay: string) => `Vous vendez ${perDay} par jour.`,
  topUpBefore: (moment: string) => `Rechargez avant : ${moment}.`,
  compare: (count: number, before: number, day: string) => {
    if (count === before) return `${orders(count)} à votre coût, autant que ${day} dernier à cette heure`
    return `${orders(count)} à votre coût, ${Math.abs(count - before)} de ${count > before ? 'plus' : 'moins'} que ${day} dernier à cette heure`
  },
  moreThanWeekBefore: (difference: string) => `${difference} de plus que les 7 jours d’avant`,
  lessThanWeekBefore: (difference: string) => `${difference} de moins que les 7 jours d’avant`,
  moreQueued: (count: number) => `Plus de ${orders(count)} attendent l’enregistrement`,
  needs: {
    queued: (count: number) => `${orders(count)} ${count < 2 ? 'attend' : 'attendent'} l’enregistrement`,
    slow: (count: number) => `${orders(count)} ${count < 2 ? 'prend' : 'prennent'} plus d’une heure`,
    failed: (count: number) => `${orders(count)} ${count < 2 ? 'échouée' : 'échouées'} aujourd’hui`,
  },
}

export const setUpWords: Translated<typeof setUpEnglish> = {
  tryFirst: 'Essayez avec une clé d’essai',
  tryFirstDetail: 'Un achat entier avec de l’argent fictif, en quelques minutes.',
  title: 'Premiers pas',
  progress: (done: number, all: number) => `${done} sur ${all} faits`,
  next: 'À faire',
  waits: 'En attente',
  later: 'Plus tard',
  dismiss: 'Cacher ces étapes',
  question: 'Comment vendez-vous ?',
  questionHint: 'Vous pouvez changer à tout moment, et faire les deux.',
  ways: { hand: 'Je vends à la main', program: 'Mon programme vend' },
  stepsFor: { hand: 'Étapes pour vendre à la main', program: 'Étapes pour un programme' },
  steps: {
    email: { title: 'Confirmez votre e-mail', detail: 'Ouvrez le lien dans l’e-mail.' },
    phone: { title: 'Confirmez votre numéro', detail: 'Un code vient par SMS.' },
    two_factor: {
      title: 'Activez le deuxième facteur',
      detail: 'Un voleur qui a votre mot de passe ne peut pas entrer sans votre téléphone.',
    },
    role: {
      title: 'Devenez agent ou dealer',
      detail: 'Ils achètent moins cher. C’est nous qui donnons ce rôle à votre compte : demandez-le-nous.',
    },
    policy: { title: 'Acceptez les règles des développeurs', detail: 'Elles valent pour tous ceux qui ont une clé.' },
    key: { title: 'Créez une clé', detail: 'Votre programme achète avec elle.' },
    approval: { title: 'La clé est approuvée', detail: 'Nous la vérifions et vous prévenons par e-mail.' },
    top_up: { title: 'Rechargez votre portefeuille', detail: 'Il paie chaque commande.' },
    order: { title: 'Faites votre première vente', detail: 'Tapez le numéro, choisissez un forfait et payez.' },
  },
}

export const viewWords: Translated<typeof viewEnglish> = {
  label: 'Vous voyez l’app comme un revendeur',
  seeing: (account: string) => `Vous voyez ${account} comme son revendeur le voit`,
  readOnly: 'Lecture seule : rien ne peut être acheté ni changé.',
  minutesLeft: (minutes: number) => (minutes < 2 ? `Il reste ${minutes} minute.` : `Il reste ${minutes} minutes.`),
  end: 'Terminer et revenir au bureau',
  notEnded: 'Cela n’a pas pris fin : réessayez. Cela se termine tout seul à la fin du temps prévu.',
}

export const helpWords: Translated<typeof helpEnglish> = {
  title: 'Aide',
  ask: 'Besoin d’aide ?',
  reach: 'Parler à quelqu’un',
  whatsapp: 'WhatsApp',
  call: (number: string) => `Appeler le ${number}`,
  nobody: 'Il n’y a pas encore de numéro à appeler. Signalez votre problème ici : la réponse vient sur cet écran.',
  report: 'Signaler un problème',
  text: 'Qu’est-ce qui ne va pas ?',
  textHelp: 'Dites ce que vous avez fait, ce que vous attendiez et ce qui s’est passé.',
  send: 'Nous l’envoyer',
  sent: 'Envoyé. La réponse vient sur cet écran et dans un avis.',
  attached: 'Envoyé avec',
  order: 'Commande',
  topUp: 'Recharge',
  request: 'Identifiant de l’appel',
  leaveOut: 'Enlever',
  yours: 'Ce que vous avez signalé',
  none: 'Rien encore',
  noneNext: 'Vos signalements et leurs réponses sont gardés ici.',
  answer: 'Réponse',
  about: (what: string, reference: string) => `${what} ${reference}`,
  closed: 'Nous avons fermé ceci sans réponse.',
  aboutOrder: (reference: string) => `Bonjour, il s’agit de ma commande ${reference}. `,
  aboutTopUp: (reference: string) => `Bonjour, il s’agit de ma recharge ${reference}. `,
  lostTitle: 'Pas de code de secours non plus ?',
  lost: 'Nous pouvons enlever le deuxième facteur. Nos gens vérifient d’abord que c’est bien vous.',
  tellLost: 'J’ai perdu mon téléphone et mes codes',
  lostTold:
    'Nous le savons maintenant, et vous avons envoyé un e-mail. Nos gens vérifient que c’est bien vous, ce qui peut prendre un jour ou deux : appelez ou écrivez, cela va plus vite. Un autre e-mail dit comment entrer.',
}

export const problemStates: Translated<typeof problemEnglish> = {
  waiting: { word: 'En attente' },
  answered: { word: 'Répondu' },
  closed: { word: 'Fermé' },
}

export const mailWords: Translated<typeof mailEnglish> = {
  title: 'E-mails de cette démo',
  lead: 'Cette installation travaille avec des fournisseurs simulés et n’a pas de serveur de courrier : ses e-mails sont gardés ici, le plus récent en premier.',
  none: 'Pas encore d’e-mail',
  noneNext:
    'Un e-mail vient quand quelqu’un ouvre un compte, oublie son mot de passe ou est invité. Cela prend quelques secondes.',
  to: 'à',
  notKept: 'Cette installation envoie ses e-mails',
  notKeptNext: 'Regardez dans votre propre boîte e-mail.',
}

export const appFindWords: Translated<typeof appFindEnglish> = {
  button: 'Chercher',
  hint: 'Chercher un écran, un numéro, une référence, un client…',
  titles: {
    data: 'Acheter de la data',
    airtime: 'Acheter du crédit d’appel',
    bills: 'Payer une facture',
    vouchers: 'Acheter des bons',
    afa: 'Inscrire à AFA',
    newMessage: 'Nouveau message',
    contacts: 'Carnet de contacts',
    senders: 'Noms d’expéditeur',
    credits: 'Acheter des crédits SMS',
    shop: 'Votre boutique',
    webhooks: 'Webhooks',
    phone: 'Numéro de téléphone',
    testKeys: 'Clés d’essai',
  },
  otherNames: {
    '/': 'aperçu solde début',
    '/buy': 'data crédit factures bons vendre',
    '/orders': 'ventes historique',
    '/sms': 'campagnes textes envois',
    '/customers': 'carnet personnes',
    '/prices': 'marge tarifs gagner',
    '/wallet': 'solde relevé écritures',
    '/top-up': 'recharge momo verser argent',
    '/team': 'membres inviter personnes',
    '/notices': 'courrier alertes',
    '/profile': 'mot de passe deuxième facteur couleurs',
    '/help': 'aide problème opérateur',
    '/developer': 'clé programme',
    '/requests': 'journal appels erreurs',
  },
}

export const findWords: Translated<typeof findEnglish> = {
  title: 'Chercher',
  keys: 'Ctrl K',
  label: 'Que cherchez-vous ?',
  results: 'Ce qui a été trouvé',
  recent: 'Récemment',
  screens: 'Écrans',
  commands: 'Commandes du menu',
  found: 'Trouvé',
  nothing: 'Rien n’a ce texte.',
  more: (things: string) => `Il y a plus de ${things} : tapez la suite.`,
  help: 'Les flèches choisissent, Entrée ouvre, Échap ferme.',
}
