/**
 * A rule blocks a text that contains a phrase of each of its groups. Phrases are written normally: the matching handles
 * spacing, look-alike letters and capitals. `{amount}` means an amount in cedis.
 */
export type ContentRule = { readonly name: string; readonly all: readonly (readonly string[])[] }

const telecoms = [
  'mtn',
  'telecel',
  'vodafone',
  'airteltigo',
  'airtel tigo',
  'mobile money',
  'mobilemoney',
  'momo',
  'telecel cash',
  'vodafone cash',
  'at money',
  't-cash',
  'g-money',
  'gmoney',
  'momopay',
]

/** Names of mobile money only: a reseller's own wallet or an MTN bundle is not mobile money. */
const mobileMoney = telecoms.filter((name) => !['mtn', 'telecel', 'vodafone', 'airteltigo', 'airtel tigo'].includes(name))

const telecomBalances = [
  'current balance',
  'new balance',
  'available balance',
  'avail bal',
  'wallet balance',
  'momo balance',
  'mobile money balance',
  'balance is now',
  'balance now',
  'cur bal',
  'new bal',
]

const balances = [...telecomBalances, 'your balance is', 'account balance']

const transactionMarks = [
  'transaction id',
  'transaction no',
  'transaction number',
  'financial transaction',
  'external transaction',
  'trans id',
  'txn id',
  'trx id',
  'transaction fee',
  'fee charged',
  'e-levy',
  'elevy',
  'tax charged',
]

const moneyMoves = [
  'payment received',
  'you have received',
  'you received',
  'cash in received',
  'cash received',
  'money received',
  'have been credited',
  'has been credited',
  'was credited',
  'is credited',
  'credited with',
  'transfer received',
  'deposit received',
  'payment made',
  'cash out made',
  'cash out of',
  'has been debited',
  'been sent to you',
  'sent you',
  'has been reversed',
  'reversal of',
  'reversed to',
  'successfully received',
  'successfully transferred',
  'transfer of',
  "y'ello. you have",
]

/**
 * Schools and lenders also use these phrases, about their own balances. So a rule with these phrases also needs a telecom's
 * words for a balance or a transaction.
 */
const payments = ['payment of', 'payment for']

/**
 * Phrases from telecoms' messages about money (contract, SMS send, 5). The operator may replace them. `scoreReceipt`
 * finds receipts that use other words.
 */
export const defaultContentRules: readonly ContentRule[] = [
  { name: 'payment_receipt', all: [moneyMoves, ['{amount}'], [...balances, ...transactionMarks]] },
  { name: 'payment_confirmation', all: [payments, ['{amount}'], [...telecomBalances, ...transactionMarks]] },
  {
    name: 'mobile_money_alert',
    all: [
      [
        'you have received',
        'you received',
        'payment received',
        'cash in received',
        'money received',
        'have been credited',
        'has been credited',
        'was credited',
        'credited with',
        'has been debited',
        'cash out made',
        'has been reversed',
        'been sent to you',
        'transfer received',
        'deposit received',
        'deposited in your',
        'deposited into your',
        'transferred to you',
        'successfully received',
      ],
      ['{amount}'],
      telecoms,
    ],
  },
  { name: 'balance_alert', all: [balances, ['{amount}'], mobileMoney] },
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
