/**
 * The Twi of the app, Asante Twi as traders speak it, with the English words that they use for technical things. It is a draft:
 * nobody whose first language is Twi has read it yet.
 *
 * The chosen word for each term. Change it here and in all files of this folder:
 *
 * | English | Twi |
 * |---|---|
 * | airtime, bundle, data, voucher, bill, wallet, commission, order, operator, key, network | the same |
 * | top-up | top-up |
 * | balance | sika a aka |
 * | delivered, pending, failed, refunded | adu, ɛretwɛn, anyɛ yie, sika no asan aba |
 * | customer | adetɔfoɔ |
 * | number | nɔma |
 * | price, profit | boɔ, mfasoɔ |
 * | receipt, statement | receipt, statement |
 * | second factor, back-up code, password | second factor, back-up code, password |
 * | sender ID | din a ɛmena |
 * | campaign | campaign |
 * | notice | nkaebɔ |
 * | session | session |
 * | team | kuo |
 * | shop | sotɔɔ |
 * | phone, message | fon, nkrasɛm |
 * | approve, refuse, cancel | pene so, po, twa mu |
 * | top up, buy, pay, send | fa sika gu mu, tɔ, tua, mena |
 */
export * from './account.ts'
export * from './buy.ts'
export * from './developer.ts'
export * from './fields.ts'
export * from './frame.ts'
export * from './money.ts'
export * from './selling.ts'
export * from './shared.ts'
export * from './sign-in.ts'
export * from './sms.ts'
