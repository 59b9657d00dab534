import type { afaWords as afaEnglish } from '../../app/words/afa.ts'
import type { buyWords as english } from '../../app/words/buy.ts'
import type { Translated } from '../translated.ts'

/** French uses the singular for 0 and 1. */
const isOne = (count: number) => count < 2

const minutesAgo = (minutes: number) =>
  minutes === 0 ? 'il y a moins d’une minute' : `il y a ${minutes} ${isOne(minutes) ? 'minute' : 'minutes'}`

export const buyWords: Translated<typeof english> = {
  what: 'Que voulez-vous acheter ?',
  products: { data: 'Data', airtime: 'Crédit', bills: 'Factures', vouchers: 'Bons', afa: 'AFA' },
  titles: {
    data: 'Acheter de la data',
    airtime: 'Acheter du crédit d’appel',
    bills: 'Payer une facture',
    vouchers: 'Acheter des bons',
    afa: 'Inscrire à AFA',
  },
  mayNot: 'Vous ne pouvez pas acheter ici',
  bundle: 'Forfait',
  noBundles: 'Aucun forfait de ce réseau n’est en vente en ce moment.',
  numbersHint: 'Un numéro par ligne, ou collé d’une discussion. Une taille peut suivre : 0201234567\u00a05\u00a0GB',
  airtimeHint: 'Un numéro par ligne, ou collé d’une discussion. Un montant peut suivre : 0201234567,\u00a010',
  byNumber: 'Automatique',
  fromFile: 'D’un fichier CSV',
  tooMany: (lines: number) => `${lines} lignes. Un achat en prend 100 : enlevez-en.`,
  checked: 'Vos lignes, vérifiées',
  ready: (count: number) => `${count} ${isOne(count) ? 'prête' : 'prêtes'}`,
  checking: 'Vérification …',
  digits: (digits: number) => `a ${digits} ${isOne(digits) ? 'chiffre' : 'chiffres'}, il en faut 10`,
  noNumber: 'n’est pas un numéro du Ghana',
  noNetwork: 'est sur un réseau que nous ne vendons pas',
  twice: 'y est deux fois',
  was: 'était',
  boughtBefore: (minutes: number, state: string) => `acheté ${minutesAgo(minutes)} : ${state}`,
  sameAgain: 'La même chose encore ? C’était',
  sameAmong: (count: number) =>
    isOne(count)
      ? `${count} de ceux-ci a déjà été acheté dans la dernière heure.`
      : `${count} de ceux-ci ont déjà été achetés dans la dernière heure.`,
  buyAgain: 'Racheter',
  buyAllAgain: (count: number) => `Racheter les ${count}`,
  removeBought: (count: number) => `Enlever les ${count} déjà achetés`,
  removeBad: (count: number) => `Enlever les ${count} impossibles à acheter`,
  mendFirst: 'Corrigez d’abord ces lignes',
  line: (number: number) => `Ligne ${number}`,
  otherNetwork: (network: string) => `est un numéro ${network}`,
  unregistered:
    'n’est pas encore enregistré chez MTN. Il est laissé de côté et n’est pas payé. Réessayez avec lui dans 24 heures.',
  moveTo: (network: string) => `Passer à ${network}`,
  mend: 'Corriger',
  buyTwice: 'Acheter deux fois',
  count: (count: number) => `${count} ${isOne(count) ? 'numéro' : 'numéros'}`,
  acts: { data: 'Acheter', airtime: 'Acheter', bills: 'Payer', vouchers: 'Acheter', afa: 'Inscrire' },
  actsFor: {
    data: (amount: string) => `Acheter pour ${amount}`,
    airtime: (amount: string) => `Acheter pour ${amount}`,
    bills: (amount: string) => `Payer ${amount}`,
    vouchers: (amount: string) => `Acheter pour ${amount}`,
    afa: (amount: string) => `Inscrire pour ${amount}`,
  },
  waitsForConnection: 'Attend une connexion',
  nothingSent: 'Vous êtes hors ligne. Rien n’est envoyé tout seul : achetez à votre retour.',
  pay: (amount: string) => `Payer ${amount}`,
  payAgain: (amount: string) => `Payer encore ${amount}`,
  showAll: (count: number) => `Voir les ${count}`,
  earns: (amount: string) => `Vous gagnez ${amount} à la livraison`,
  sellFor: (price: string, profit: string) => `Votre prix ${price} : vous gagnez ${profit}`,
  sellAtLoss: (price: string, loss: string) => `Votre prix ${price} : vous perdez ${loss}`,
  buyQuestion: (what: string) => `Acheter ${what} ?`,
  missing: (amount: string) => `Il vous manque ${amount}`,
  leftOut: (lines: number) =>
    isOne(lines)
      ? `${lines} ligne est laissée de côté. Elle reste ici.`
      : `${lines} lignes sont laissées de côté. Elles restent ici.`,
  waits: (count: number) =>
    isOne(count)
      ? `${count} numéro n’est pas encore enregistré chez MTN. Son forfait est payé maintenant et envoyé quand il l’est.`
      : `${count} numéros ne sont pas encore enregistrés chez MTN. Leurs forfaits sont payés maintenant et envoyés quand ils le sont.`,
  numberFirst: 'Tapez un numéro de téléphone',
  chooseFirst: { data: 'Choisissez un forfait', airtime: 'Choisissez un montant' },
  otherAmount: 'Ou un autre montant',
  switchedOff: 'Pas en vente en ce moment',
  switchedOffHint: 'Nous l’avons désactivé pour le moment. Revenez plus tard.',
  unknownTitle: 'Nous ne savons pas encore si ceci a été acheté',
  askAgain: 'Demander à nouveau',
  others: (count: number) => `et ${count} de plus`,
  unknownHint: 'Demandez à nouveau : c’est le même achat, et rien n’est payé deux fois.',
  refused: 'Pas acheté. Cet essai n’a rien coûté',
  bought: (count: number) => `${count} ${isOne(count) ? 'acheté' : 'achetés'}`,
  notBought: (count: number) => `${count} pas ${isOne(count) ? 'acheté' : 'achetés'}`,
  cameBack: (count: number, all: number, amount: string) =>
    `${all === 1 ? 'Pas livré' : `${count} sur ${all} pas ${isOne(count) ? 'livré' : 'livrés'}`}. Remboursé : ${amount}`,
  results: 'Ligne par ligne',
  notBoughtState: 'Pas acheté',
  more: 'Acheter encore',
  retry: 'Revenir aux lignes pas achetées',
  orders: 'Voir toutes les commandes',
  paid: 'Payé',
  amountOf: (least: string, most: string) => `De ${least} à ${most}`,
  biller: 'Facturier',
  billerOff: 'arrêté',
  phone: 'Téléphone',
  phoneHint: 'Le numéro auquel le compte est lié',
  lookUp: 'Trouver le compte',
  holder: 'Compte de',
  due: 'À payer',
  credit: 'Crédit',
  bouquet: 'Bouquet',
  meter: 'Compteur',
  noMeters: 'Aucun compteur n’est lié à ce téléphone.',
  billOf: (biller: string) => `Facture ${biller}`,
  payQuestion: (biller: string) => `Payer la facture ${biller} ?`,
  kind: 'Genre',
  inStock: (count: number) => `reste ${count}`,
  soldOut: 'Épuisé',
  noVouchers: 'Aucun bon n’est en vente en ce moment.',
  quantity: 'Combien',
  bySms: 'par SMS',
  sendTo: 'Les envoyer aussi par SMS à (facultatif)',
  yours: 'Vos bons',
  shownAgain: 'Vous les revoyez dans Commandes.',
  phoneFault: 'Un numéro de téléphone a 10 chiffres et commence par 0.',
}

export const afaWords: Translated<typeof afaEnglish> = {
  fullName: 'Nom complet, comme sur la carte',
  idNumber: 'Numéro de la Ghana Card',
  idHint: 'GHA-123456789-0',
  birth: 'Date de naissance',
  region: 'Région',
  chooseRegion: 'Choisissez la région',
  place: 'Ville ou lieu',
  notes: 'Remarques (facultatif)',
  registerQuestion: 'Inscrire à AFA ?',
  afaFee: 'Inscription AFA',
  registered: 'L’inscription est envoyée',
  registeredHint: 'Notre personnel fait l’inscription à la main. Suivez-la dans Commandes.',
  notRegistered: 'L’inscription ne nous est pas parvenue. Cet essai n’a rien coûté : envoyez-la encore.',
  faults: {
    fullName: 'Écrivez le nom complet.',
    idNumber: 'Un numéro de Ghana Card ressemble à GHA-123456789-0.',
    birth: 'La personne doit avoir 18 ans ou plus.',
    region: 'Choisissez la région.',
    place: 'Écrivez la ville ou le lieu.',
  },
}
