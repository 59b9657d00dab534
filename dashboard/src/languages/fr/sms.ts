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

const plural = (count: number, one: string, many: string) => `${figures.format(count)} ${count < 2 ? one : many}`

const eachGets = (least: number, most: number) =>
  least === most ? `${plural(most, 'SMS', 'SMS')} chacun` : `${figures.format(least)} à ${figures.format(most)} SMS chacun`

export const smsWords: Translated<typeof english> = {
  countCredits: (count: number) => plural(count, 'crédit', 'crédits'),
  buyCredits: 'Acheter des crédits',
  newMessage: 'Nouveau message',
  notBusiness: 'Les SMS demandent un compte entreprise agréé',
  notBusinessNext: 'Nous agréons d’abord chaque entreprise. D’ici là, vous pouvez regarder et rassembler des contacts ici.',
  askForApproval: 'Demander l’agrément',
  key: 'Clé SMS',
  keyDetail: 'Pour vos propres programmes qui envoient des SMS',
  scheduled: 'Programmés',
  campaigns: 'Campagnes',
  drafts: 'Brouillons',
  more: 'Plus sur les SMS',
  contacts: 'Contacts',
  contactsDetail: 'Des listes de numéros, collées ou d’un tableur',
  senders: 'Noms d’expéditeur',
  sendersDetail: (sender: string) => (sender === '' ? 'Pas encore d’expéditeur' : `Vos SMS viennent de ${sender}`),
  noCampaigns: 'Rien d’envoyé encore',
  noCampaignsNext: 'Écrivez un message, choisissez qui le reçoit, et voyez le coût avant l’envoi.',
  noText: 'Pas encore de texte',
  toNumbers: (count: number) => `à ${plural(count, 'numéro', 'numéros')}`,
  goesOut: 'part',
}

export const composerWords: Translated<typeof composerEnglish> = {
  text: 'Votre texte',
  textHint: 'Votre commande est prête. Passez avant 6 h du soir.',
  count: (characters: number, least: number, most: number) =>
    `${plural(characters, 'caractère', 'caractères')} · ${eachGets(least, most)}`,
  insertName: 'Insérer le nom',
  nameNote: '{name} devient le nom que vous avez gardé pour chaque numéro, comme contact ou comme client.',
  unnamed: (count: number, all: number) =>
    `${figures.format(count)} sur ${figures.format(all)} ${count < 2 ? 'n’a' : 'n’ont'} pas de nom gardé`,
  nameFallback: 'Écrire à la place du nom',
  nameFallbackHint: 'client',
  sayFallback: 'Dites quoi écrire là où il n’y a pas de nom.',
  firstTexts: 'Les premiers textes',
  unusual: (character: string, segments: number) => `${character} en fait ${plural(segments, 'SMS', 'SMS')}`,
  unusualSame: (character: string) => `${character} laisse 70 caractères dans un SMS, pas 160`,
  replace: (replacement: string) =>
    replacement === '' ? 'L’enlever' : `Mettre ${replacement === ' ' ? 'une espace' : replacement} à la place`,
  replaceAll: (segments: number | undefined) =>
    segments === undefined ? 'Tout remplacer' : `Tout remplacer : ${plural(segments, 'SMS', 'SMS')}`,
  blocked: 'Ce texte serait bloqué',
  blockedNext: 'Écrivez en votre propre nom, sans soldes, numéros de transaction ni mots d’un reçu.',
  numbersHint: '024 123 4567, +233 20 123 4567',
  lists: 'Vos listes',
  ready: (count: number) => plural(count, 'numéro prêt', 'numéros prêts'),
  optedOut: (count: number, all: number) =>
    `${figures.format(count)} sur ${figures.format(all)} ${count < 2 ? 'est désabonné et laissé' : 'sont désabonnés et laissés'} de côté`,
  waits: (at: string) => `Heures calmes : l’envoi partira le ${at}.`,
  twice: (count: number) =>
    count < 2
      ? `${figures.format(count)} y est plus d’une fois et compte une fois`
      : `${figures.format(count)} y sont plus d’une fois et comptent une fois`,
  leftOut: (count: number) => plural(count, 'ligne est laissée de côté', 'lignes sont laissées de côté'),
  why: {
    foreign: 'n’est pas un numéro du Ghana',
    too_short: 'est trop court, il faut 10 chiffres',
    too_long: 'est trop long, il faut 10 chiffres',
    not_a_number: 'n’est pas un numéro',
  },
  line: (line: number) => `ligne ${line}`,
  sender: 'De',
  time: 'Jour et heure à Accra',
  timeNote: 'Les crédits sont pris maintenant. Ils reviennent si vous annulez avant l’envoi.',
  timePassed: 'Choisissez une heure à venir.',
  keep: 'Garder comme brouillon',
  kept: 'Gardé. Vous le trouvez sous Brouillons.',
  cost: (numbers: number, segments: number) => `${plural(numbers, 'numéro', 'numéros')} × ${plural(segments, 'SMS', 'SMS')}`,
  costOfEach: (numbers: number, least: number, most: number) =>
    `${plural(numbers, 'numéro', 'numéros')}, ${eachGets(least, most)}`,
  send: (cost: string) => `Envoyer pour ${cost}`,
  schedule: (cost: string) => `Programmer pour ${cost}`,
  confirmSend: 'Envoyer',
  confirmSchedule: 'Programmer',
  after: 'Crédits après',
  missing: (count: string) => `Il vous manque ${count}.`,
  askSend: (numbers: number) => `Envoyer à ${plural(numbers, 'numéro', 'numéros')} ?`,
  askSchedule: (numbers: number, at: string) => `Envoyer à ${plural(numbers, 'numéro', 'numéros')} le ${at} ?`,
  sentBefore: 'Ce que vous aviez envoyé est bien parti',
  sentBeforeNext: 'La connexion a été coupée avant la réponse. Regardez-le avant d’envoyer aussi ce texte :',
  nothingYet: 'Écrivez un texte et dites qui le reçoit.',
  tooMany: 'Une campagne atteint au plus 10,000 numéros.',
}

export const campaignWords: Translated<typeof campaignEnglish> = {
  title: 'Campagne',
  of: (part: number, whole: number) => `${figures.format(part)} sur ${figures.format(whole)}`,
  text: 'Texte',
  sender: 'De',
  costOf: (credits: string, segments: number, isUpTo: boolean) =>
    `${credits}, ${isUpTo ? 'au plus ' : ''}${plural(segments, 'SMS', 'SMS')} chacun`,
  back: 'Crédits revenus',
  leftOut: 'Laissés de côté',
  optedOut: (count: number) => plural(count, 'numéro s’était désabonné', 'numéros s’étaient désabonnés'),
  goesOut: 'Part',
  by: { api: 'par votre programme', dashboard: 'dans l’app' },
  resume: 'Reprendre',
  cancel: 'Annuler le reste',
  askCancel: 'Annuler cette campagne ?',
  askCancelDetail: 'Le reste n’est pas envoyé, et ses crédits reviennent. Ce qui est en route ne peut pas être rappelé.',
  failures: 'Pas livrés (CSV)',
  numbers: 'Numéros',
  changed: 'Changé',
  none: 'Aucun numéro dans cet état',
  previous: 'Précédents',
  next: 'Suivants',
  pausedNote:
    'Rien de plus n’est envoyé jusqu’à ce que vous repreniez. Après un jour, les crédits du reste reviennent tout seuls.',
  cancelledBy: {
    account: 'Vous l’avez annulée. Le reste n’a pas été envoyé, et ses crédits reviennent.',
    operator: 'Nous l’avons annulée. Le reste n’a pas été envoyé, et ses crédits reviennent. Vos avis disent pourquoi.',
    platform: 'Elle a été annulée. Le reste n’a pas été envoyé, et ses crédits reviennent.',
  },
  blockedNote: 'Les règles sur le contenu ont bloqué ce texte. Cet essai n’a rien envoyé et rien coûté.',
}

export const senderWords: Translated<typeof senderEnglish> = {
  intro: 'Le nom que les téléphones montrent au-dessus de votre texte.',
  own: 'Les vôtres',
  pool: 'Partagés par tous',
  none: 'Pas encore de nom à vous',
  noneNext: 'Demandez-en un plus bas. Avant l’accord, vos SMS viennent d’un expéditeur partagé.',
  states: { requested: 'Nous le vérifions', approved: 'Approuvé', rejected: 'Refusé' },
  isDefault: 'utilisé quand vous n’en nommez aucun',
  makeDefault: 'Utiliser d’office',
  ask: 'Demander un nom d’expéditeur',
  fieldHint: '3 à 11 lettres et chiffres, comme vos clients vous connaissent',
  button: 'Demander',
  asked: 'Demandé. Nous le vérifions et vous prévenons.',
}

export const contactWords: Translated<typeof contactEnglish> = {
  none: 'Pas encore de liste',
  noneNext: 'Créez une liste, puis collez des numéros ou prenez-les d’un tableur.',
  count: (count: number) => plural(count, 'numéro', 'numéros'),
  newList: 'Nouvelle liste',
  listName: 'Nom de la liste',
  make: 'Créer la liste',
  forget: 'Oublier un numéro',
  forgetDetail: 'Le numéro quitte toutes les listes auxquelles vous écrivez. Un désabonnement est gardé.',
  forgetButton: 'Oublier',
  forgotten: (count: number) =>
    count === 0 ? 'Il n’est dans aucune de vos listes.' : `Enlevé de ${plural(count, 'liste', 'listes')}.`,
  optedOut: 'Désabonnés',
  optedOutDetail: (count: number) =>
    count === 0 ? 'Personne encore' : `${plural(count, 'numéro', 'numéros')}, hors des campagnes`,
  optedOutNote:
    'Les campagnes laissent ces numéros de côté. Qui répond STOP à votre expéditeur est ajouté tout seul, là où le réseau apporte les réponses. Un SMS à un seul numéro part toujours.',
  add: 'Ajouter des numéros',
  addField: 'Numéros, avec des noms si vous voulez',
  addHint: 'Ama Mensah, 024 123 4567',
  check: 'Vérifier',
  addThem: (count: number) => `Ajouter ${plural(count, 'numéro', 'numéros')}`,
  nothingNew: 'Rien de nouveau là-dedans',
  new: (count: number) => plural(count, 'numéro est nouveau', 'numéros sont nouveaux'),
  known: (count: number) => `${figures.format(count)} déjà dans la liste`,
  added: (count: number) => plural(count, 'numéro ajouté', 'numéros ajoutés'),
  empty: 'Cette liste est vide',
  send: 'Écrire à cette liste',
  deleteList: 'Supprimer cette liste',
  askDelete: 'Supprimer cette liste et ses numéros ?',
  first: 'Retour au début',
}

export const creditWords: Translated<typeof creditEnglish> = {
  title: 'Acheter des crédits SMS',
  intro: 'Un crédit envoie un SMS à un numéro.',
  now: 'Crédits maintenant',
  packs: 'Paquets',
  each: (pesewas: string) => `${pesewas} pesewas pièce`,
  none: 'Aucun paquet n’est vendu ici',
  noneNext: 'Demandez-nous des crédits.',
  buy: (amount: string) => `Acheter pour ${amount}`,
  ask: (credits: string) => `Acheter ${credits} ?`,
  confirm: 'Acheter',
  bought: (credits: string) => `${credits} achetés`,
  tooLittle: (amount: string) => `Votre portefeuille contient ${amount}. Rechargez d’abord.`,
  wallet: 'Portefeuille après',
}

export const campaignStates: Translated<typeof campaignStatesEnglish> = {
  scheduled: { word: 'Programmé' },
  queued: { word: 'En attente' },
  sending: { word: 'En envoi' },
  paused: { word: 'En pause' },
  sent: { word: 'Envoyé' },
  failed: { word: 'Échoué' },
  cancelling: { word: 'En arrêt' },
  cancelled: { word: 'Annulé' },
  blocked: { word: 'Bloqué' },
}

export const deliveryWords: Translated<typeof deliveryEnglish> = {
  delivered: 'livrés',
  sent: 'en route',
  queued: 'pas encore envoyés',
  failed: 'pas livrés',
}

export const messageStates: Translated<typeof messageStatesEnglish> = {
  queued: { word: 'Pas encore envoyé' },
  sent: { word: 'En route' },
  delivered: { word: 'Livré' },
  undelivered: { word: 'Pas livré' },
  failed: { word: 'Refusé' },
  expired: { word: 'Pas joint à temps' },
  rejected: { word: 'Rejeté' },
}

export const cancelledStates: Translated<typeof cancelledEnglish> = {
  account: { word: 'Pas envoyé, annulé par vous' },
  operator: { word: 'Pas envoyé, annulé par nous' },
  platform: { word: 'Pas envoyé, annulé' },
}

export const cancelReasons: Translated<typeof cancelReasonsEnglish> = {
  account_suspended: 'Le compte était suspendu à l’heure de l’envoi, donc rien n’est parti.',
  no_business_account: 'Le compte n’était plus une entreprise agréée à l’heure de l’envoi, donc rien n’est parti.',
  sender_not_approved: 'Son expéditeur n’était plus approuvé à l’heure de l’envoi, donc rien n’est parti.',
}
