import {
  balances,
  businessWords,
  moves,
  ourMoney,
  readersMoney,
  statedBalances,
  telecomAccounts,
  telecoms,
  transactions,
} from './receipt-words.ts'

/**
 * A rule blocks a text that holds a phrase of every group of `all`, and none of `unless`. Phrases are words as people
 * read them: the matching takes care of spacing, look-alikes, capitals and misspelled words of receipts. `{amount}` stands
 * for an amount of money, `{payer}` for a name or number behind "from" or "by", `{party}` for that, "to you" or "your
 * account", `{transaction}` for a transaction number.
 */
export type ContentRule = {
  readonly name: string
  readonly all: readonly (readonly string[])[]
  readonly unless?: readonly string[]
}

/**
 * Texts that look like those a telecom sends about money (contract, SMS send, rule 5). What makes a receipt is an amount
 * that moved, where it came from or went, and a balance or a transaction number, in any order. The operator may replace
 * the rules; `makola sms check-text` shows what they do.
 */
export const defaultContentRules: readonly ContentRule[] = [
  { name: 'payment_receipt', all: [readersMoney, ['{amount}'], [...statedBalances, ...transactions]], unless: ourMoney },
  { name: 'receipt_of_a_telecom', all: [moves, ['{amount}'], [...statedBalances, ...transactions], telecoms], unless: ourMoney },
  {
    name: 'payment_confirmation',
    all: [['payment of', 'payment for'], ['{amount}'], statedBalances, [...transactions, 'reference']],
  },
  { name: 'amount_payer_and_proof', all: [['{amount}'], ['{payer}'], [...balances, ...transactions]], unless: businessWords },
  { name: 'money_moved', all: [moves, ['{amount}'], ['{party}'], [...balances, ...transactions]], unless: businessWords },
  { name: 'balance_and_number', all: [['{amount}'], balances, transactions], unless: ourMoney },
  {
    name: 'statement_line',
    all: [statedBalances, ['{amount}'], [...transactions, 'ref', 'account', 'sender']],
    unless: businessWords,
  },
  { name: 'mobile_money_alert', all: [readersMoney, ['{amount}'], [...telecoms, ...telecomAccounts]], unless: ourMoney },
  { name: 'balance_alert', all: [[...statedBalances, 'account balance'], ['{amount}'], telecoms], unless: businessWords },
  {
    name: 'wallet_threat',
    all: [
      ['mobile money', 'mobilemoney', 'momo', 'telecel cash', 'vodafone cash', 'momo wallet', 'mtn wallet'],
      [
        'blocked',
        'suspended',
        'deactivated',
        'on hold',
        'reversed by mistake',
        'sent by mistake',
        'wrongly sent',
        'wrong transfer',
      ],
      [
        'send back',
        'return the money',
        'dial',
        'call',
        'reply with your pin',
        'your pin',
        'secret code',
        'confirm your pin',
        'reverse',
      ],
    ],
  },
]
