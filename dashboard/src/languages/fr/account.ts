import type { businessWords as businessEnglish } from '../../app/words/business.ts'
import type { kindWords as kindEnglish, noticeWords as noticeEnglish, pushWords as pushEnglish } from '../../app/words/notices.ts'
import type { teamWords as teamEnglish } from '../../app/words/team.ts'
import type { Translated } from '../translated.ts'

export const businessWords: Translated<typeof businessEnglish> = {
  why: 'Pour envoyer des SMS, votre entreprise doit être agréée. Nous vérifions l’enregistrement et décidons.',
  name: 'Nom de l’entreprise',
  nameHint: 'Comme il est enregistré.',
  registrationHint: 'De l’Office of the Registrar of Companies, comme BN123456789.',
  purposeHint: 'À qui vous écrirez, et à quel sujet.',
  ask: 'Demander l’agrément',
  askAgain: 'Demander à nouveau',
  states: { none: 'Pas encore demandé', waiting: 'En attente', approved: 'Agréé', declined: 'Refusé' },
  acts: {
    none: 'Remplissez le formulaire plus bas.',
    waiting: 'Nous la vérifions. Nous vous prévenons par e-mail.',
    approved: 'Vous pouvez créer une clé SMS et envoyer.',
    declined: 'Corrigez ce que dit la raison, puis demandez à nouveau.',
  },
  reason: 'Notre raison',
  toKey: 'Aller à la clé SMS',
  ownerOnly: 'Seul le propriétaire du compte peut demander.',
}

export const kindWords: Translated<typeof kindEnglish> = {
  low_balance: 'Votre solde est bas',
  order_refunded: 'Une commande de plus d’un jour a été remboursée',
  report_answered: 'Un de vos signalements a une réponse',
  problem_answered: 'Un problème que vous avez signalé a une réponse',
  role_expires: 'Votre rôle finit bientôt',
  campaign_stopped: 'Nous avons mis en pause ou annulé une campagne',
  sender_approved: 'Un nom d’expéditeur a été approuvé',
  sender_rejected: 'Un nom d’expéditeur a été refusé',
  business_approved: 'Votre compte est devenu une entreprise',
  business_declined: 'Votre demande de devenir une entreprise a été refusée',
  top_up_credited: 'Un de vos virements a été confirmé',
  top_up_declined: 'Une de vos recharges a été refusée',
  key_approved: 'Une clé a été approuvée',
  key_revoked: 'Une clé a été révoquée',
  webhook_paused: 'L’envoi des événements à votre serveur est en pause',
  floor_asked: 'Une recharge est demandée à votre téléphone',
  floor_not_asked: 'La recharge n’a pas pu être demandée à votre téléphone',
}

export const noticeWords: Translated<typeof noticeEnglish> = {
  lowBalance: 'Me prévenir quand le solde est sous',
  lowBalanceHint: 'En GHS. Laissez vide pour jamais.',
  phone: 'Téléphone pour les SMS',
  phoneHint: 'Laissez vide pour ne pas avoir de SMS.',
  smsOff: 'Nous n’envoyons pas de SMS en ce moment. Les e-mails vont à',
  mailsTo: 'Les e-mails vont à',
  choices: 'Choisir de quoi vous prévenir',
  what: 'De quoi vous prévenir',
  mail: 'E-mail',
  always: 'Toujours par e-mail, pour votre sécurité',
  saved: 'Enregistré',
  sent: 'Ce que nous vous avons dit',
  none: 'Rien encore',
  noneNext: 'Les e-mails et SMS sur votre compte sont gardés ici.',
  more: 'Voir les avis plus anciens',
}

export const pushWords: Translated<typeof pushEnglish> = {
  title: 'Sur cet appareil',
  lead: 'Cet appareil peut vous prévenir tout de suite, même quand l’app est fermée. Il ne montre ni montants, ni noms, ni numéros entiers. Le service de votre navigateur porte le message et ne peut pas le lire. Cela finit quand vous vous déconnectez.',
  what: 'De quoi prévenir',
  kinds: {
    delivered: 'Une commande achetée dans l’app est livrée',
    failed: 'Une commande achetée dans l’app n’est pas livrée',
    credited: 'Une recharge est dans le portefeuille',
  },
  on: 'Me prévenir ici',
  isOn: 'Cet appareil vous prévient',
  off: 'Ne plus me prévenir',
  nothing: 'Choisissez-en au moins un, ou désactivez.',
  denied:
    'Votre navigateur ne le permet pas. Autorisez les notifications de ce site dans les réglages du navigateur, puis réessayez.',
  notReady: 'L’app n’est pas prête pour cela. Chargez la page à nouveau, puis réessayez.',
  noService: 'Le service de votre navigateur n’a pas répondu. Réessayez quand vous avez une connexion.',
  impossible: 'Ce navigateur ne peut pas le faire. Sur un iPhone, ajoutez d’abord l’app à l’écran d’accueil, et ouvrez-la de là.',
}

export const teamWords: Translated<typeof teamEnglish> = {
  members: 'Membres',
  withFactor: 'Deuxième facteur activé',
  withoutFactor: 'Pas de deuxième facteur',
  invitedUntil: 'peut rejoindre jusqu’au',
  roleMeans: {
    owner: 'tout : clés, argent, équipe',
    buyer: 'achète, envoie des SMS, recharge',
    viewer: 'regarde tout, ne change rien',
  },
  changeNamed: (name: string) => `Changer ${name}`,
  saveRole: 'Enregistrer le rôle',
  boughtToday: (bought: string, orders: number) =>
    orders === 0 ? 'Rien acheté aujourd’hui' : `${bought} aujourd’hui en ${orders} ${orders === 1 ? 'commande' : 'commandes'}`,
  left: (left: string, limit: string) => `reste ${left} sur ${limit}`,
  perDay: 'Peut dépenser, en GHS par jour',
  perDayHelp: 'Laissez vide pour aucune limite. Tout ce que cette personne achète ici compte.',
  saveLimit: 'Enregistrer la limite',
  ordersOf: 'Voir ses commandes',
  remove: 'Enlever de l’équipe',
  removeWarning: 'Ses sessions se terminent tout de suite. Les commandes et l’argent restent comme ils sont.',
  removeConfirm: 'Enlever maintenant',
  inviteLead: 'La personne reçoit un e-mail avec un lien. Quand elle l’ouvre, elle est dans votre équipe.',
  invitationSent: (email: string) => `L’invitation à ${email} est en route. Elle marche pendant trois jours.`,
  withdrawNamed: (email: string) => `Retirer l’invitation de ${email}`,
  alone: 'Vous êtes seul dans votre équipe',
  aloneNext: 'Invitez qui vend avec vous : donnez le rôle qui convient, et ne partagez jamais un mot de passe.',
}
