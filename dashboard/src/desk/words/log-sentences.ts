import type { components } from '../../both/api/dashboard-api.d.ts'
import { inWords } from '../../both/in-words.ts'
import { titleOfSetting } from './switches.ts'

type Line = components['schemas']['LogPage']['lines'][number]

/** The sentence of each action by its name in the log. Its subject comes at the end, or in place of `@`. */
const actions: Readonly<Record<string, string>> = {
  'account approve-business': 'approved as a business:',
  'account create': 'opened the account',
  'account decline-business': 'declined the business request of',
  'account request-business': 'asked for business approval of',
  'account set-floor': 'changed the top-up by itself of',
  'account set-notices': 'changed the notices of',
  'account set-role': 'changed the role of',
  'account suspend': 'suspended',
  'account reactivate': 'reactivated',
  'account withdraw-business': 'withdrew the business approval of',
  'account view': 'looked at the app as',
  'account view-end': 'stopped looking at the app as',
  'afa cancel': 'cancelled the AFA registration',
  'afa claim': 'took on the AFA registration',
  'afa complete': 'completed the AFA registration',
  'afa export': 'took along AFA registrations:',
  'afa list --reveal': 'looked at the people of AFA registrations:',
  'afa reveal': 'looked at the person of the AFA registration',
  'afa take-over': 'took over the AFA registration',
  'alert clear': 'cleared the alarm',
  archive: 'put away the month',
  'archive bring-back': 'brought back the month',
  'backup note': 'told of a backup by',
  'campaign cancel': 'cancelled the',
  'campaign pause': 'paused the',
  'campaign resume': 'let go on the',
  'commission set-rate': 'changed the commission rate of',
  'commission set-share': 'changed the commission share of',
  'commission transfer': 'moved commission to the main wallet of',
  'cost set': 'entered the cost of',
  'customers export': 'took along the customers of',
  'differences export': 'took along the file of @',
  'entries export': 'took along the wallet entries of',
  'failures export': 'took along the failed SMS of',
  'gateway set': 'changed the payment gateway',
  'gateway test': 'tried the payment gateway',
  'history hold': 'stopped selling and sending after a restore:',
  'history release': 'released the missing order',
  'incident announce': 'told resellers of an incident',
  'incident end': 'ended an incident',
  'key allow': 'changed the allowed addresses of the',
  'key approve': 'approved the',
  'key create': 'made the',
  'key rotate': 'made, in place of another one, the',
  'key revoke': 'revoked the',
  'webhook change': 'changed the webhook endpoint',
  'webhook make': 'made the webhook endpoint',
  'webhook pause': 'paused the webhook endpoint',
  'webhook remove': 'removed the webhook endpoint',
  'webhook replay': 'sent everything again to the webhook endpoint',
  'webhook resend': 'sent an event again to the webhook endpoint',
  'webhook resume': 'let go on the webhook endpoint',
  'webhook rotate': 'made a new secret of the webhook endpoint',
  'webhook test': 'sent a test to the webhook endpoint',
  'log export': 'took along the audit @',
  'member create': 'added a person to',
  'member invite': 'invited a person to',
  'member remove': 'removed a person from',
  'member keep-second-factor': 'kept the second factor of a person of',
  'member lose-second-factor': 'said that the second factor is lost of a person of',
  'member reset-second-factor': 'took away the second factor of a person of',
  'member set-role': 'changed a person’s role in',
  'member stop-second-factor': 'stopped that the second factor is taken away, of a person of',
  'member withdraw': 'withdrew an invitation to',
  migrate: 'brought the database up to date:',
  'offer closed': 'closed the offer',
  'orders export': 'took along the file of @',
  'order answer-report': 'answered the report about order',
  'order ask': 'asked again about order',
  'order refund': 'refunded order',
  'packages bulk-edit': 'changed many prices of',
  'packages export': 'took along the price list:',
  'packages edit': 'changed the packages',
  'packages import': 'imported packages:',
  'packages reopen': 'reopened the offer',
  'packages schedule add': 'scheduled new prices',
  'packages schedule cancel': 'cancelled scheduled prices',
  'packages schedule carry-out': 'brought scheduled prices into force',
  'packages schedule change': 'changed scheduled prices',
  'packages schedule hold': 'held scheduled prices back',
  'ported remove': 'forgot that @ was ported',
  'ported set': 'noted the ported number',
  'prefix add': 'added the prefix',
  'prefix remove': 'removed the prefix',
  'prefix set': 'changed the prefix',
  'problem answer': 'answered the problem',
  'problem close': 'closed without an answer the problem',
  'receipt export': 'took along the receipt of',
  reconcile: 'reconciled a statement of',
  'reconcile assign': 'took on the',
  'reconcile close': 'explained the',
  'report recount': 'had the reports counted anew:',
  'report schedule': 'scheduled the report',
  'report unschedule': 'stopped the scheduled report',
  'route add': 'added the route',
  'route pause': 'paused the route',
  'route resume': 'resumed the route',
  'sales export': 'took along the report of sales:',
  'secrets rotate': 'changed the key of secrets:',
  'sender approve': 'approved a sender of',
  'sender default': 'chose the sender of',
  'sender pool add': 'added a sender to the pool:',
  'sender reject': 'rejected a sender of',
  'personal erased': 'erased the personal data of',
  'personal export': 'looked at the personal data of',
  'sender request': 'asked for a sender of',
  'setting keep': 'cancelled the switching back of',
  'setting return': 'switched back',
  'setting set': 'changed',
  'staff add-passkey': 'added a passkey to the sign-in of',
  'staff create': 'added @ to the staff',
  'staff end-sessions': 'ended all sessions of',
  'staff invite-again': 'invited again',
  'staff remove': 'took @ off the staff',
  'staff remove-passkey': 'removed a passkey from the sign-in of',
  'staff reset-second-factor': 'took away the second factor of',
  'staff set-role': 'changed the staff role of',
  'staff tie-to-directory': 'signed in with the directory for the first time, as',
  'statement export': 'took along a statement of',
  'supplier float-topup': 'noted a float movement of',
  'supplier set': 'changed the supplier',
  'supplier test': 'tried the supplier',
  'tax export': 'took along the report of taxes:',
  'top-up decline': 'declined the',
  'voucher reveal': 'looked at a voucher:',
  'voucher-type set': 'changed the voucher type',
  'vouchers import': 'imported vouchers of',
}

/** Words for what is proposed, by the action's name without its step. The subject comes after them. */
const proposed: Readonly<Record<string, string>> = {
  'wallet credit': 'a credit of',
  'sms credit': 'SMS credits of',
  'wallet correct': 'a correction of',
  'sms correct': 'a correction of the SMS credits of',
  'top-up confirm': 'the',
  'order settle': 'an end of order',
  'order take-back': 'a refund of order',
  'order adjust': 'an adjustment of order',
  'vouchers withdraw': 'taking out vouchers of',
  'setting set': 'a change of',
  'setting keep': 'that nothing switches back',
  'staff set-role': 'another staff role for',
  'member reset-second-factor': 'to take away a lost second factor of a person of',
  'gateway set': 'another address or other credentials of the payment gateway',
  'supplier set': 'another address or other credentials of the supplier',
  'supplier float-topup': 'a float movement of',
  'personal erase': 'the erasure of',
  'history accept': 'to go on after history went back:',
}
const decided: Readonly<Record<string, string>> = { propose: 'proposed', confirm: 'confirmed', refuse: 'refused' }

/** Proposals have one action for each step, such as `wallet credit propose`. */
function proposalWords(action: string): string | undefined {
  const end = action.lastIndexOf(' ')
  const [thing, did] = [proposed[action.slice(0, end)], decided[action.slice(end + 1)]]
  if (thing !== undefined && did !== undefined) return `${did} ${thing}`
  return proposed[action] === undefined ? undefined : `made ${proposed[action]}`
}

const wordsOf = (action: string): string => actions[action] ?? proposalWords(action) ?? `${inWords(action)}:`

/** The name of an action in a list to choose from. */
export const nameAction = (action: string): string => {
  const words = wordsOf(action)
    .replace(' @', '')
    .replace(/(?: of| the|:)$/, '')
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`
}

/** Names the actor: a person at the desk or in the app by e-mail, on the command line by name. */
export function nameActor(actor: string): string {
  if (actor === 'worker' || actor === 'system') return 'The system'
  return actor.replaceAll('cli:', '').replaceAll('person:', '')
}

export const aboutOf = ({ action, subject, about }: Pick<Line, 'action' | 'subject' | 'about'>): string =>
  action.startsWith('setting ') ? `“${titleOfSetting(subject)}”` : inWords(about)

/** A line of the log as a sentence: who did what, and to what. */
export function sentenceOf(line: Line): string {
  const words = wordsOf(line.action)
  const about = aboutOf(line)
  return `${nameActor(line.actor)} ${words.includes('@') ? words.replace('@', about) : `${words} ${about}`}`
}
