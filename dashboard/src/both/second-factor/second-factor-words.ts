import { inLanguage } from '../../languages/in-language.ts'

export const secondFactorWords = inLanguage('secondFactorWords', {
  why: 'A code from your phone besides the password: whoever learns your password still cannot get in.',
  needed: 'You need a second factor before anything else opens.',
  beginLead: 'You need an authenticator app, such as Google Authenticator, Microsoft Authenticator or Aegis.',
  scanTitle: 'Scan this with your app',
  scanLead: 'On this phone, tap the link instead, or type the key into the app.',
  openApp: 'Open in the app of this phone',
  copyKey: 'Copy the key',
  qrLabel: 'QR code for the authenticator app',
  codeLabel: 'Code that the app shows now',
  codesTitle: 'Keep these back-up codes',
  codesLead: 'They are shown this once. Each lets you in once when your phone is lost or broken. Do not keep them on your phone.',
  copyCodes: 'Copy all',
  codesFile: 'makola-back-up-codes.txt',
  codesKept: 'I have kept them',
  renew: 'New back-up codes',
  renewLead: 'The old codes stop working.',
  renewAction: 'Make new codes',
  offLead: 'From then on the password alone lets somebody in. Type it again.',
  offAction: 'Switch the second factor off',
  offNotForStaff: 'Staff keep a second factor, so it cannot be switched off here.',
})
