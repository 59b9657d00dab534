import type { Settings } from '../../../platform/settings/settings.ts'
import { smsContentRules, smsReceiptScore, smsSegmentRule } from '../sms.settings.ts'
import { encodeText, type SmsEncoding } from './encode-text.ts'
import { findBlockingRule } from './find-blocking-rule.ts'
import { listUnusualCharacters, spellPlainly, type UnusualCharacter } from './list-unusual-characters.ts'

/** The number of segments that a text is charged as, and whether it may be sent. */
export type DescribedText = {
  readonly encoding: SmsEncoding
  readonly segments: number
  /** Characters that GSM-7 does not have. */
  readonly unusual: readonly UnusualCharacter[]
  /** How many segments the text has after all these characters are replaced. */
  readonly plainSegments: number
  /** The reason why the content policy blocks it, in plain words; undefined when it may be sent. */
  readonly blockedBecause: string | undefined
}

/** Reasons by rule. An operator may add rules of other names. */
const reasons: Readonly<Record<string, string>> = {
  receipt: 'It reads like the receipt of a telecom or a bank.',
  payment_receipt: 'It says that money has moved, with an amount and a balance or a transaction number, as a telecom does.',
  payment_confirmation: 'It confirms a payment with an amount and a balance or a transaction number, as a telecom does.',
  mobile_money_alert: 'It reads like an alert of a mobile money wallet.',
  balance_alert: 'It tells somebody the balance of a mobile money wallet.',
  wallet_threat: 'It warns somebody about a wallet, as fraudsters do.',
}

/**
 * Describes a text with the same functions that charge, send and block it.
 * @throws RangeError as `encodeText`
 */
export async function describeText(settings: Settings, text: string): Promise<DescribedText> {
  const [rule, rules, receiptScoreMin] = await Promise.all([
    settings.read(smsSegmentRule),
    settings.read(smsContentRules),
    settings.read(smsReceiptScore),
  ])
  const { encoding, segments } = encodeText(text, rule)
  const blockedBy = findBlockingRule(text, { rules, receiptScoreMin })
  return {
    encoding,
    segments: segments.length,
    unusual: listUnusualCharacters(text),
    plainSegments: encodeText(spellPlainly(text), rule).segments.length,
    blockedBecause: blockedBy === undefined ? undefined : (reasons[blockedBy] ?? 'Our content policy blocks texts like it.'),
  }
}
