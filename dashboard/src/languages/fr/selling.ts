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
  queued: { word: 'En file' },
  pending: { word: 'Commandé' },
  processing: { word: 'En envoi' },
  completed: { word: 'Livré' },
  failed: { word: 'Échoué' },
  refunded: { word: 'Remboursé' },
  cancelled: { word: 'Annulé' },
}

export const productWords: Translated<typeof productEnglish> = {
  data: 'Data',
  airtime: 'Crédit d’appel',
  utilities: 'Factures',
  results_checker: 'Bons',
  afa: 'AFA',
  sms: 'SMS',
}

export const stepWords: Translated<typeof stepEnglish> = {
  paid: { words: () => 'Payé' },
  waits_for_registration: { words: () => 'En attente : ce numéro n’est pas encore enregistré chez MTN' },
  registered: { words: () => 'Le numéro est enregistré' },
  sent: { words: () => 'Envoyé pour livraison' },
  sent_again: { words: () => 'Envoyé par une autre voie' },
  taken: { words: () => 'Accepté, la livraison est en cours' },
  no_answer: {
    words: () => 'Pas encore de réponse claire. Nous demandons jusqu’à savoir ; ce n’est pas envoyé deux fois',
  },
  asked: { words: (count) => (count === 1 ? 'Nous avons demandé' : `Nous avons demandé ${count ?? 0} fois`) },
  turned_away: { words: () => 'N’a pas pu passer par cette voie' },
  delivered: { words: () => 'Livré' },
  failed: { words: () => 'Pas livré' },
  cancelled: { words: () => 'Annulé' },
  refunded: { words: () => 'L’argent est revenu dans votre portefeuille' },
  reported: { words: () => 'Vous avez dit que ce n’était pas livré' },
  answered: { words: () => 'Nous avons répondu' },
}

export const waitWords: Translated<typeof waitEnglish> = {
  registration:
    'L’envoi part tout seul dès que le numéro est enregistré chez MTN. Si cela n’arrive jamais, votre argent revient.',
  answer: 'C’est envoyé, mais nous ne savons pas encore comment cela s’est terminé. Nous demandons jusqu’à savoir.',
  supplier: 'Ces livraisons ont du retard en ce moment. L’envoi part tout seul dès qu’elles marchent à nouveau.',
  person: 'Quelqu’un s’en occupe.',
}

export const orderWords: Translated<typeof orderEnglish> = {
  slow: 'Durée',
  slowOnly: 'Plus d’une heure',
  search: 'Référence ou numéro',
  emptyNext: 'Ce que vous achetez ici, et ce que votre programme achète par l’API, est listé ici avec son état.',
  sources: { api: 'votre programme (API)', dashboard: 'cette app' },
  timeline: 'Ce qui s’est passé',
  copyReceipt: 'Copier le reçu',
  vouchers: 'Bons',
  serial: 'Série',
  copyPin: 'Copier le PIN',
  copyVouchers: 'Tout copier',
  share: 'Partager',
  showVouchers: 'Voir les bons',
  notDelivered: 'Pas livré ?',
  notDeliveredWhy: 'Dites-le-nous. Nous cherchons ce qui s’est passé, et notre réponse vient sur cette page.',
  note: 'Que savez-vous là-dessus ? (facultatif)',
  report: 'Ce n’est pas livré',
  reportWaits: 'Votre signalement attend notre réponse',
  answer: 'Réponse',
  toCustomer: 'pour',
  campaign: 'Campagne SMS',
  usually: (minutes: number) => {
    if (minutes < 1) return 'Prend d’habitude moins d’une minute.'
    if (minutes < 90) return `Prend d’habitude environ ${Math.round(minutes)} min.`
    return `Prend d’habitude environ ${Math.round(minutes / 60)} h.`
  },
}

export const customerWords: Translated<typeof customerEnglish> = {
  search: 'Nom ou numéro',
  add: 'Ajouter un client',
  new: 'Nouveau client',
  none: 'Pas encore de clients',
  noneNext: 'Enregistrez à qui vous vendez, et rachetez pour eux en deux touches.',
  noneFits: 'Personne ne correspond',
  noneFitsNext: 'Cherchez un autre nom ou numéro.',
  more: 'Ce sont les 100 premiers. Cherchez les autres.',
  name: 'Nom',
  numbers: 'Numéros',
  numbersHint: 'Un par ligne : téléphones, compteurs ou cartes TV.',
  note: 'Remarque (vous seul la voyez)',
  favourite: 'Favori : toujours en haut',
  isFavourite: 'Favori',
  save: 'Enregistrer',
  remove: 'Supprimer le client',
  removeAsk: 'Supprimer ce client ?',
  removeWarning: 'Le nom, les numéros et la remarque sont supprimés. Les commandes restent comme elles sont.',
  fromPhone: 'De mon téléphone',
  file: 'D’un fichier, et vers un fichier',
  importLabel: 'Clients, un par ligne',
  importHint: 'Ama Mensah, 024 123 4567, paie le vendredi',
  check: 'Vérifier',
  new_: (count: number) => `${count} ${count < 2 ? 'nouveau client' : 'nouveaux clients'}`,
  addThem: (count: number) => `Ajouter ${count}`,
  added: (count: number) => `${count} ${count < 2 ? 'ajouté' : 'ajoutés'}`,
  known: (count: number) => `${count} ${count < 2 ? 'est' : 'sont'} déjà ici`,
  wrong: (line: number, given: string) => `Ligne ${line} : « ${given} » n’a pas de numéro lisible`,
  moreWrong: (count: number) => `et ${count} lignes de plus`,
  buyAgain: 'Racheter',
  buyAgainFor: (who: string) => `Racheter pour ${who}`,
  buyData: 'Acheter de la data',
  buyAirtime: 'Acheter du crédit',
  sms: 'Envoyer un SMS',
  ordersOf: 'Commandes',
  last: (goods: string, when: string) => `${goods}, ${when}`,
  choose: 'Vos clients',
}

const sales = (count: number) => `${count} ${count < 2 ? 'vente' : 'ventes'}`

export const priceWords: Translated<typeof priceEnglish> = {
  earnedToday: 'Gagné aujourd’hui',
  earnedWeek: '7 derniers jours',
  sold: (sold: string, orders: number) => `${sold} en ${sales(orders)} à vos prix`,
  notKnown: 'Voyez ce que vous gagnez',
  notKnownNext:
    'Fixez ce que vous demandez à vos clients. Vous seul le voyez ; votre coût et votre portefeuille restent comme ils sont. Le compte commence à votre prochaine vente.',
  byCustomer: 'Bénéfice par client',
  sales,
  share: 'Partager votre liste de prix',
  shareText: 'Partager en texte',
  sharePicture: 'Partager en image',
  copyList: 'Copier la liste',
  nothingToShare: 'Fixez d’abord un prix ; la liste contient tout ce qui a un prix à vous.',
  packages: 'Vos prix',
  packagesHint: 'Laissez un prix vide pour utiliser la règle plus bas.',
  costs: (cost: string) => `vous coûte ${cost}`,
  earn: (profit: string) => `vous gagnez ${profit}`,
  lose: (loss: string) => `vous perdez ${loss}`,
  priceOf: (what: string) => `Votre prix pour ${what}`,
  rules: 'Règles pour tout le reste',
  rulesHint:
    'Ce qui s’ajoute à votre coût quand il n’y a pas de prix propre. Un pourcentage est arrondi vers le haut à GHS 0.10.',
  ruleOf: (product: string) => `Règle pour ${product}`,
  kinds: { none: 'Pas de règle', percent: 'Pourcentage en plus', add: 'GHS en plus' },
  onTop: (product: string) => `En plus pour ${product}`,
  save: 'Enregistrer les prix',
  saved: 'Enregistré',
  ownerOnly: 'Seul le propriétaire du compte change les prix.',
  shop: 'Nom et logo de la boutique',
  call: (phone: string) => `Appel ou WhatsApp ${phone}`,
  products: {
    data: 'Data',
    airtime: 'Crédit d’appel',
    utilities: 'Factures',
    results_checker: 'Bons',
    afa: 'AFA',
  },
  yourPrice: 'Votre prix',
  youEarn: 'Vous gagnez',
}

export const shopWords: Translated<typeof shopEnglish> = {
  title: 'Votre boutique',
  lead: 'Les clients voient ceci sur les reçus et les listes de prix.',
  name: 'Nom de la boutique',
  phone: 'Téléphone pour les clients (peut rester vide)',
  save: 'Enregistrer',
  saved: 'Enregistré. Les reçus le montrent désormais, les anciens aussi.',
  logo: 'Logo',
  logoHint: 'Une image PNG ou JPEG. Elle est réduite sur cet appareil.',
  choose: 'Choisir une image',
  noPicture: 'Ce fichier ne peut pas être lu comme image. Choisissez un PNG ou un JPEG.',
  ownerOnly: 'Seul le propriétaire du compte change la boutique.',
}

export const receiptWords: Translated<typeof receiptEnglish> = {
  title: 'Reçu pour votre client',
  lead: 'Une page avec votre boutique, qui dit si c’est livré. Elle ne montre jamais ce que vous avez payé.',
  withPrice: (price) => `Elle montre votre prix, ${price}.`,
  withoutPrice: 'Elle ne montre aucun prix, car vous n’en aviez pas fixé.',
  make: 'Faire un reçu',
  share: 'Partager',
  whatsApp: 'Envoyer par WhatsApp',
  copyLink: 'Copier le lien',
  see: 'Le voir',
  showNumber: 'Y montrer le numéro du client',
  hideNumber: 'Cacher le numéro du client',
  revoke: 'Supprimer le reçu',
  revokeAsk: 'Supprimer ce reçu ?',
  revokeWarning: 'Le lien que vous avez envoyé ne marche plus. Vous pouvez faire un nouveau reçu.',
  setShop: 'Fixer le nom et le logo de votre boutique',
}

export const voucherWords: Translated<typeof voucherEnglish> = {
  whatsApp: 'WhatsApp',
  printA4: 'Imprimer en A4',
  printRoll: 'Imprimer sur rouleau de 58 mm',
  keepSlip: 'Gardez bien ce bon. Le PIN est nécessaire pour les résultats.',
}
