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

/** The names under which mobile money is known. */
const telecoms = [
  'mtn',
  'telecel',
  'vodafone',
  'airteltigo',
  'airtel tigo',
  'mobile money',
  'mobilemoney',
  'momo',
  'at money',
  't-cash',
  'g-money',
  'gmoney',
  'momopay',
  'ecash',
]

/** An account of mobile money, said as the reader's own. */
const telecomAccounts = [
  'mobile money account',
  'momo account',
  'momo wallet',
  'mobile money wallet',
  'mobile wallet',
  'mtn wallet',
  'telecel cash account',
  'cash account',
]

/** Balances as a telecom or a bank states them. Short forms such as "avl bal" are spelled out before. */
const statedBalances = [
  'current balance',
  'new balance',
  'balance new',
  'available balance',
  'wallet balance',
  'momo balance',
  'mobile money balance',
  'cash balance',
  'merchant balance',
  'balance is now',
  'balance now',
  'balance after',
  'your balance',
  'ledger balance',
  'wallet amount',
  'wallet now holds',
  'wallet has',
]

const balances = [...statedBalances, 'balance']

const transactions = [
  '{transaction}',
  'transaction id',
  'transaction no',
  'transaction number',
  'financial transaction',
  'external transaction',
  'trans id',
  'txn id',
  'trx id',
  'transaction code',
  'transaction fee',
  'fee charged',
  'e-levy',
  'elevy',
  'tax charged',
]

/** Money that reached or left the reader, told to the reader. */
const readersMoney = [
  'you have received',
  'you received',
  "you've received",
  'you just received',
  'you have been credited',
  'you have been paid',
  "you've been paid",
  'payment received',
  'payment has been received',
  'cash in received',
  'cash received',
  'money received',
  'transfer received',
  'deposit received',
  'received from',
  'have been credited',
  'has been credited',
  'was credited',
  'been credited',
  'is credited',
  'credited with',
  'credited to your',
  'credit alert',
  'debit alert',
  'has been debited',
  'been deposited',
  'deposited in your',
  'deposited into your',
  'cash out made',
  'cash out of',
  'payment made',
  'sent to you',
  'sent to your',
  'sent you',
  'paid to you',
  'has paid you',
  'has paid',
  'transferred to you',
  'transferred to your',
  'transferred into your',
  'transfer to you',
  'to your wallet',
  'into your wallet',
  'from your wallet',
  'wo momo',
  'wo account',
  'has been reversed',
  'was reversed',
  'reversal of',
  'reversed to',
  'successfully received',
  'successfully transferred',
  'transfer of',
  "y'ello. you have",
]

/** Any money that moved: honest receipts say these too. */
const moves = [
  ...readersMoney,
  'received',
  'receive',
  'credited',
  'credit alert',
  'deposited',
  'deposit',
  'transferred',
  'transfer',
  'sent',
  'debited',
  'reversed',
  'reversal',
  'withdrawn',
  'cash in',
  'cashin',
  'cash out',
  'cashout',
  'payment of',
  'payment for',
  'in from',
  'paid to you',
  'status successful',
  'pos purchase',
  'bought',
  'wo momo',
  'wo account',
]

/** What a business says of money that came to *it*. A telecom never says these. */
const ourMoney = [
  'we received',
  'we have received',
  'we just received',
  'has been received by',
  'we have credited',
  'thank you for your payment',
  'thanks for your payment',
  'your order',
  'order no',
  'official receipt',
]

/** What a business says that money is for, and what is still owed to it. */
const businessWords = [
  ...ourMoney,
  'receipt no',
  'your payment',
  'your deposit',
  'your contribution',
  'your donation',
  'your instalment',
  'your installment',
  'your premium',
  'your bill',
  'a deposit',
  'deposit paid',
  'school fees',
  'tuition',
  'fees',
  'dues',
  'house rent',
  'your rent',
  'rent for',
  'rent of',
  'rent is',
  'tenant',
  'invoice',
  'tithe',
  'offering',
  'susu',
  'loan',
  'outstanding',
  'arrears',
  'owed',
  'owing',
  'owes',
  'owe',
  'unpaid',
  'kindly settle',
  'topped up',
  'deducted',
  'donated',
  'members',
  'welfare',
  'parcel',
  'reseller wallet',
  'agent wallet',
  'top up',
  'opening balance',
  'previous balance',
  'pay the balance',
  'the balance',
  'balance due',
  'balance left',
  'balance to pay',
  'balance remaining',
  'order',
  'data wallet',
]

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
