import type { profileWords as profileEnglish } from '../../app/words/profile.ts'
import type { entryWords as entryEnglish } from '../../app/words/sign-in.ts'
import type { secondFactorWords as secondFactorEnglish } from '../../both/second-factor/second-factor-words.ts'
import type { sessionWords as sessionEnglish } from '../../both/sessions/session-words.ts'
import type { signInWords as signInEnglish } from '../../both/sign-in/sign-in-words.ts'
import type { Translated } from '../translated.ts'

export const signInWords: Translated<typeof signInEnglish> = {
  title: 'Se connecter',
  name: 'Votre nom ou celui de votre entreprise',
  newPassword: 'Nouveau mot de passe',
  currentPassword: 'Mot de passe actuel',
  newPasswordHelp: 'Au moins 10 caractères. Trois ou quatre mots de votre choix se retiennent bien.',
  signIn: 'Se connecter',
  code: 'Code',
  codeHelp: 'Les six chiffres que votre app d’authentification montre maintenant.',
  backupCode: 'Code de secours',
  backupCodeHelp: 'Un des codes que vous avez gardés en activant le deuxième facteur. Chacun sert une fois.',
  useBackupCode: 'Je n’ai pas mon téléphone : utiliser un code de secours',
  useCode: 'Utiliser un code de l’app',
  beginAgain: 'Recommencer avec le mot de passe',
  goOn: 'Continuer',
  toSignIn: 'Aller à la connexion',
  forgot: 'J’ai oublié mon mot de passe',
  register: 'Ouvrir un compte',
  sessionEnded: 'Votre session est terminée. Reconnectez-vous pour continuer où vous étiez.',
  confirmTitle: 'Est-ce bien vous ?',
  confirmWithPassword: 'Tapez encore votre mot de passe. Il vaut pour dix minutes.',
  confirmWithCode: 'Tapez un code de votre app d’authentification. Il vaut pour dix minutes.',
  notVerified:
    'Vous n’avez plus l’e-mail ? Dites que vous avez oublié le mot de passe : le lien que vous recevez confirme aussi votre e-mail.',
  forgotTitle: 'Mot de passe oublié',
  forgotLead: 'Tapez l’e-mail avec lequel vous vous connectez. Nous vous envoyons un lien pour choisir un nouveau mot de passe.',
  sendLink: 'Envoyer le lien',
  mailTitle: 'Regardez vos e-mails',
  resetMailSent:
    'Si cet e-mail a un accès ici, un lien pour choisir un nouveau mot de passe est en route. Il sert une fois, pendant une heure.',
  noMail: 'Rien après cinq minutes ? Regardez dans les indésirables, et vérifiez que l’e-mail est bien tapé :',
  askAgain: 'Demander à nouveau',
  setPasswordTitle: 'Choisissez un mot de passe',
  setPasswordLead: 'Toutes vos autres sessions se terminent.',
  savePassword: 'Enregistrer',
  passwordSaved: 'Votre mot de passe est enregistré',
  passwordSavedNext: 'Connectez-vous avec lui maintenant.',
  linkTitle: 'Ce lien est incomplet',
  linkMissing: 'Ouvrez encore le lien dans l’e-mail. Pour votre sécurité, cette page ne le garde pas.',
  newLink: 'Demander un nouveau lien',
  changePasswordLead: 'Vos autres sessions se terminent, sur tous les autres appareils.',
  passwordChanged: 'Votre mot de passe est changé. Vos autres sessions sont terminées.',
  email: 'E-mail',
  password: 'Mot de passe',
  codeTitle: 'Deuxième facteur',
}

export const entryWords: Translated<typeof entryEnglish> = {
  registerTitle: 'Ouvrir un compte',
  registerLead: 'Vendez data, crédit d’appel, factures et plus avec votre propre portefeuille. L’ouverture ne coûte rien.',
  register: 'Ouvrir le compte',
  haveAccount: 'J’ai un compte',
  mailTitle: 'Regardez vos e-mails',
  mailSent: (email: string) =>
    `Nous avons envoyé un e-mail à ${email}. Ouvrez son lien sur ce téléphone ou cet ordinateur : il marche pendant un jour.`,
  mailNext: 'Tapez ensuite le mot de passe que vous venez de choisir, et vous y êtes.',
  noMail: 'Rien après cinq minutes ? Regardez dans les indésirables, ou tapez l’e-mail à nouveau.',
  again: 'Changer l’e-mail ou le renvoyer',
  keptMails: 'Cette démo garde ses e-mails ici',
  verifyTitle: 'Confirmez votre e-mail',
  verifyLead: 'Tapez le mot de passe que vous avez choisi en ouvrant le compte.',
  verify: 'Confirmer et entrer',
  verifyFailed: 'Ouvrez encore le compte avec le même e-mail, et un nouveau lien vient :',
  joinTitle: 'Rejoindre une équipe',
  joinLead:
    'Quelqu’un vous a invité à travailler avec son compte. Si vous avez un mot de passe ici, tapez-le. Sinon, choisissez-en un d’au moins 10 caractères.',
  joinTeam: (team: string) => `Rejoindre ${team}`,
  joinAs: (role: string, password: string) => `Vous entrez comme ${role}. ${password}`,
  yourPassword: 'Tapez votre mot de passe.',
  newPassword: 'Choisissez un mot de passe.',
  join: 'Rejoindre',
  joinMissing: 'Ouvrez encore le lien dans l’e-mail de votre invitation.',
  notMemberTitle: 'Vous n’êtes dans aucune équipe ici',
  notMember:
    'Votre e-mail et votre mot de passe sont justes, mais vous n’êtes plus dans une équipe. Demandez à un propriétaire de vous réinviter, ou connectez-vous avec un autre e-mail.',
  toDesk: 'Le personnel de l’opérateur travaille au bureau',
}

export const secondFactorWords: Translated<typeof secondFactorEnglish> = {
  why: 'Un code de votre téléphone en plus du mot de passe : qui apprend votre mot de passe ne peut pas entrer pour autant.',
  needed: 'Il vous faut un deuxième facteur avant que le reste s’ouvre.',
  beginLead: 'Il vous faut une app d’authentification, comme Google Authenticator, Microsoft Authenticator ou Aegis.',
  scanTitle: 'Scannez ceci avec votre app',
  scanLead: 'Sur ce téléphone, touchez plutôt le lien, ou tapez la clé dans l’app.',
  openApp: 'Ouvrir dans l’app de ce téléphone',
  copyKey: 'Copier la clé',
  qrLabel: 'Code QR pour l’app d’authentification',
  codeLabel: 'Code que l’app montre maintenant',
  codesTitle: 'Gardez ces codes de secours',
  codesLead:
    'Ils ne sont montrés que cette fois. Chacun vous laisse entrer une fois si votre téléphone est perdu ou cassé. Ne les gardez pas sur votre téléphone.',
  copyCodes: 'Tout copier',
  codesFile: 'makola-codes-de-secours.txt',
  codesKept: 'Je les ai gardés',
  renew: 'Nouveaux codes de secours',
  renewLead: 'Les anciens codes ne marchent plus.',
  renewAction: 'Créer de nouveaux codes',
  offLead: 'Ensuite le mot de passe seul suffit pour entrer. Tapez-le encore.',
  offAction: 'Désactiver le deuxième facteur',
  offNotForStaff: 'Le personnel garde un deuxième facteur : il ne peut pas être désactivé ici.',
}

export const sessionWords: Translated<typeof sessionEnglish> = {
  lead: 'Où vous êtes connecté. Terminez ce que vous ne reconnaissez pas, puis changez votre mot de passe.',
  thisOne: 'Celle-ci',
  onSystem: (browser: string, system: string) => `${browser} sur ${system}`,
  unknownDevice: 'Appareil inconnu',
  from: 'depuis',
  lastUsed: 'utilisée',
  end: 'Terminer',
  endNamed: (device: string) => `Terminer la session de ${device}`,
  endOthers: 'Terminer toutes les autres',
  ended: (count: number) => (count < 2 ? `${count} session terminée.` : `${count} sessions terminées.`),
}

export const profileWords: Translated<typeof profileEnglish> = {
  roleOf: (role: string, account: string) => `${role} de ${account}`,
  security: 'Comment vous vous connectez',
  passwordDetail: 'Changez-le ici',
  off: 'Désactivé : activez-le',
  sessionsDetail: 'Où vous êtes connecté',
  language: 'Langue',
  drafts: 'Le français et le twi sont des ébauches.',
  readsWrong: 'Dites-nous ce qui se lit mal',
}
