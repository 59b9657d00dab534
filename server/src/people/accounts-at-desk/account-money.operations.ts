import Type, { type TNumberOptions, type TUnsafe } from 'typebox'
import { readAccount } from '../../accounts/find-account.ts'
import { amountIn, unitOfPurse, viewAmount } from '../../money/amount.ts'
import { correctWallet } from '../../money/by-people/correct-wallet.ts'
import { type CreditOutcome, creditByPeople, type NewCredit, needExternalId } from '../../money/by-people/credit-by-people.ts'
import { listCredits, listWaitingProposals } from '../../money/by-people/list-credits.ts'
import { receiptId, receiptWays } from '../../money/by-people/receipt-number.ts'
import { type CreditedPurse, formatOfPurse } from '../../money/by-people/wallet-kinds.ts'
import { Ghs } from '../../money/ghs.ts'
import { CommissionTransferBody } from '../../money/members/wallet-member.schemas.ts'
import { pesewasFromGhs } from '../../money/pesewas.ts'
import { moveCommission } from '../../money/transfer-commission.ts'
import { readPurseBalances, readWallet } from '../../money/wallets.ts'
import { describeConfirmed, type Proposed } from '../../platform/approvals/propose-approval.ts'
import type { Db } from '../../platform/database/database.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { isLiveDatabase } from '../../platform/database/stamp-mode.ts'
import { RefusalError, refusals, refuse } from '../../platform/http/refusals.ts'
import { Nullable, OneOf, Uuid } from '../../platform/http/schemas.ts'
import { ExactText, Timestamp, WithWireName } from '../../platform/operations/fields.ts'
import { type OperationDeps, operation } from '../../platform/operations/operation.ts'
import { withAccountNames } from '../desk/with-names.ts'
import { decisionRights, rightsToDecide } from '../permissions/rights-to-decide.ts'
import { CorrectionBody, CreditBody, CreditedPurseName, PeoplesOutcome } from './account-desk.schemas.ts'

const creditsShown = 50

/** In SMS credits: far above any real amount, and small enough for sums to stay exact. */
const amountMax = 100_000_000_000

const stateOf = { done: 'done', pending: 'proposed', same_waits: 'same_waits' } as const

const inUnit = (purse: CreditedPurse, amount: number) => viewAmount(amountIn(unitOfPurse(purse), amount)).amount

/** Reads an amount of the desk as pesewas, or as SMS credits. @throws RefusalError for a fraction of a pesewa or of a credit */
function amountOf({ purse, amount }: { readonly purse: CreditedPurse; readonly amount: number }): number {
  const kept = purse === 'main' ? pesewasFromGhs(amount) : amount
  if (kept === undefined || !Number.isSafeInteger(kept)) {
    throw new RefusalError(refusals.invalidRequest('SMS credits are whole numbers, and GHS have at most 2 decimals.'))
  }
  return kept
}

async function describeProposed(db: Db, { approvalId, status }: Proposed): Promise<string> {
  if (status === 'done') return describeConfirmed(db, approvalId)
  return `Nothing moved yet: a second person confirms it within 7 days with \`makola approvals confirm ${approvalId} --by NAME\`.`
}

/** The question before money moves, with the account's name and balance. */
async function askAbout({ db }: OperationDeps, purse: CreditedPurse, accountId: string, words: string): Promise<string> {
  const [{ name, email }, { balance }] = [await readAccount(db, accountId), await readWallet(db, { accountId, purse })]
  return `${words} ${name} (${email}), who has ${formatOfPurse(purse, balance)}?`
}

/** Credits at once what one person may credit alone. A larger credit is only proposed, and waits for a second person. */
function credit({ db, isLive }: OperationDeps, request: Omit<NewCredit, 'isLive'>): Promise<CreditOutcome> {
  return inTransaction(db, async (tx) => creditByPeople(tx, { ...request, isLive: isLive || (await isLiveDatabase(tx)) }))
}

async function describeCredit(db: Db, outcome: CreditOutcome, externalId: string | undefined): Promise<string> {
  if (outcome.state === 'credited') {
    if (!outcome.isReplay) return `Credited. To take it back: --of ${outcome.creditId}.`
    return `${externalId} was credited before, at ${outcome.creditedAt.toISOString()} by ${outcome.creditedBy}: nothing moved now.`
  }
  const proposed = await describeProposed(db, outcome)
  return outcome.status === 'done' || outcome.why === undefined ? proposed : `${outcome.why}\n${proposed}`
}

type PurseCommand = {
  readonly purse: CreditedPurse
  readonly command: string
  readonly summary: string
  readonly example: string
  readonly amount: TUnsafe<number>
}

const proposalStatuses = ['pending', 'done', 'same_waits'] as const

const creditCommand = ({ purse, amount, ...face }: PurseCommand & { readonly balance: TUnsafe<number> }) =>
  operation({
    ...face,
    by: 'optional',
    input: Type.Object({
      accountId: Uuid(),
      amount,
      note: Type.Optional(ExactText({ description: 'what for; kept with the credit' })),
      id: Type.Optional(ExactText({ description: 'a receipt’s number: the same id credits once; required when live' })),
      way: Type.Optional(OneOf(receiptWays, { description: 'how the money came: the number of --id is then one of that way' })),
    }),
    output: Type.Object({
      balance: face.balance,
      status: OneOf(proposalStatuses),
      approvalId: Type.Optional(Uuid()),
      creditId: Type.Optional(Uuid()),
      isReplay: Type.Optional(WithWireName('credited_before', Type.Boolean())),
    }),
    question: (deps, { accountId, amount: asked }) =>
      askAbout(deps, purse, accountId, `Credit ${formatOfPurse(purse, asked)} to`),
    async act(deps, { person }, { accountId, amount: asked, note, id, way }) {
      await needExternalId(deps, id)
      const externalId = id !== undefined && way ? receiptId(way, id) : id
      const outcome = await credit(deps, { accountId, purse, amount: asked, externalId, note, person })
      return { ...outcome, status: outcome.state === 'credited' ? ('done' as const) : outcome.status }
    },
    text: async (outcome, { id }, { db }) =>
      `${await describeCredit(db, outcome, id)}\n${purse === 'main' ? 'The main wallet holds' : 'The account has'} ${formatOfPurse(purse, outcome.balance)}.`,
  })

const correctCommand = ({ purse, amount, ...face }: PurseCommand) =>
  operation({
    ...face,
    by: 'required',
    input: Type.Object({
      accountId: Uuid(),
      amount,
      reason: ExactText({ description: 'what was wrong' }),
      of: Type.Optional(ExactText({ description: 'the credit that was wrong: its id, or the --id that it was made with' })),
    }),
    output: Type.Object({ approvalId: Uuid(), status: OneOf(proposalStatuses) }),
    question: (deps, { accountId, amount: asked }) =>
      askAbout(deps, purse, accountId, `Take ${formatOfPurse(purse, -asked)} back from`),
    act: ({ db }, { person }, { amount: asked, of, ...correction }) =>
      inTransaction(db, (tx) => correctWallet(tx, { ...correction, purse, amount: -asked, of, person })),
    text: (proposed, _input, { db }) => describeProposed(db, proposed),
  })

const ofSms = { purse: 'sms_credits' } as const
const Credits = (options: TNumberOptions = {}) => WithWireName('credits', Type.Unsafe<number>({ ...options, type: 'integer' }))

export const walletOperations = [
  creditCommand({
    purse: 'main',
    command: 'wallet credit',
    example: 'makola wallet credit --account ama@example.com --amount 100.00 --note "cash at the shop" --id receipt-1041',
    summary: 'Credit the main wallet; above credit_limit_one_person by two people',
    amount: Ghs({ exclusiveMinimum: 0, description: 'in GHS, such as 100.00' }),
    balance: Ghs(),
  }),
  correctCommand({
    purse: 'main',
    command: 'wallet correct',
    example:
      'makola wallet correct --account ama@example.com --amount -100.00 --of receipt-1041 --reason "typed twice" --by kofi',
    summary: 'Take money back from the main wallet by the word of two people',
    amount: Ghs({ exclusiveMaximum: 0, description: 'in GHS, below 0: -50.00 takes 50.00 back' }),
  }),
  operation({
    command: 'wallet show',
    example: 'makola wallet show --account ama@example.com',
    summary: 'Show the balances of an account',
    input: Type.Object({ accountId: Uuid() }),
    output: Type.Object({ accountId: Uuid(), balance: Ghs(), commission: Ghs(), credits: Type.Integer() }),
    async act({ db }, _actor, { accountId }) {
      const { main, commission, smsCredits } = await readPurseBalances(db, accountId)
      return { accountId, balance: main, commission, credits: smsCredits }
    },
  }),
]

export const smsOperations = [
  creditCommand({
    ...ofSms,
    command: 'sms credit',
    example: 'makola sms credit --account ama@example.com --credits 1000 --id receipt-1042',
    summary: 'Credit SMS credits to an account; one credit is one segment to one recipient',
    amount: Credits({ minimum: 1, maximum: amountMax, description: 'a whole number' }),
    balance: Credits(),
  }),
  correctCommand({
    ...ofSms,
    command: 'sms correct',
    example: 'makola sms correct --account ama@example.com --credits -1000 --of receipt-1042 --reason "typed twice" --by kofi',
    summary: 'Take SMS credits back by the word of two people',
    amount: Credits({ minimum: -amountMax, maximum: -1, description: 'below 0: -1000 takes 1000 back' }),
  }),
]

const ofAccount = { tag: 'Accounts', permission: 'manage_money', isConfirmationNeeded: true } as const
const notEnough = refuse(409, 'not_possible', 'The commission wallet holds less than that. Nothing was moved.')

const AccountCredit = Type.Object(
  {
    creditId: Uuid(),
    purse: CreditedPurseName,
    amount: Type.Number({ description: 'GHS, or whole SMS credits.' }),
    left: Type.Number({ description: 'What of it can still be taken back.' }),
    externalId: WithWireName('reference', Nullable(Type.String())),
    note: Nullable(Type.String()),
    actor: WithWireName('by', Type.String()),
    createdAt: WithWireName('at', Timestamp()),
  },
  { title: 'AccountCredit' },
)
const WaitingCredit = Type.Object(
  {
    id: WithWireName('approval_id', Uuid()),
    what: Type.String({ description: 'What it will do, behind the word "to".' }),
    reason: Type.String(),
    before: Nullable(Type.String()),
    after: Nullable(Type.String()),
    proposed_by: Type.String(),
    created_at: WithWireName('at', Timestamp()),
    expires_at: Timestamp(),
    ...decisionRights,
  },
  { title: 'WaitingProposal' },
)

export const accountMoneyOperations = [
  operation({
    route: 'GET /accounts/:account_id/credits',
    operationId: 'deskListCredits',
    tag: 'Accounts',
    permission: 'see',
    summary: 'What people credited to an account, and what waits for a second person',
    input: Type.Object({ accountId: Uuid() }),
    output: Type.Object({ credits: Type.Array(AccountCredit), waiting: Type.Array(WaitingCredit) }, { title: 'AccountCredits' }),
    async act({ db }, actor, { accountId }) {
      const [made, proposals] = await Promise.all([listCredits(db, accountId, creditsShown), listWaitingProposals(db, accountId)])
      const credits = made.map(({ purse, amount, corrected, ...each }) => {
        return { ...each, purse, amount: inUnit(purse, amount), left: inUnit(purse, amount - corrected) }
      })
      const waiting = proposals.map(async (row) => {
        const what = await withAccountNames(db, row.what)
        return { ...row, what, ...rightsToDecide(row, actor, accountId) }
      })
      return { credits, waiting: await Promise.all(waiting) }
    },
  }),
  operation({
    ...ofAccount,
    route: 'POST /accounts/:account_id/credits',
    operationId: 'deskCreditAccount',
    refusals: [409],
    summary: 'Credit money or SMS credits to an account',
    description:
      'Exactly once per reference, and once per number of a receipt and way. Above what one person may credit within 24 hours it waits for a second one.',
    input: Type.Object({ accountId: Uuid(), ...CreditBody.properties }, { title: 'CreditBody' }),
    output: PeoplesOutcome,
    async act(deps, { person }, { accountId, purse, way, number, reference: pageReference, note, amount }) {
      const receipt = { way, number, pageReference }
      const request = { accountId, purse, amount: amountOf({ purse, amount }), receipt, note: note.trim(), person }
      const outcome = await credit(deps, request)
      const balance = inUnit(purse, outcome.balance)
      if (outcome.state === 'proposed') {
        return { state: stateOf[outcome.status], approvalId: outcome.approvalId, why: outcome.why ?? null, balance }
      }
      return { state: outcome.isReplay ? ('done_before' as const) : ('done' as const), approvalId: null, why: null, balance }
    },
  }),
  operation({
    ...ofAccount,
    route: 'POST /accounts/:account_id/corrections',
    operationId: 'deskCorrectAccount',
    refusals: [409],
    summary: 'Propose to take money or SMS credits back from an account',
    description:
      'It always takes two people. The same reference proposes once, also after it was decided; one that is equal to a proposal that waits is asked about (`same_waits`).',
    input: Type.Object({ accountId: Uuid(), ...CorrectionBody.properties }),
    output: PeoplesOutcome,
    async act({ db }, { person }, { creditId: of, reason, ...asked }) {
      const correction = { ...asked, amount: amountOf(asked), of, reason: reason.trim(), person }
      const { approvalId, status } = await inTransaction(db, (tx) => correctWallet(tx, correction))
      const { balance } = await readWallet(db, asked)
      return { state: stateOf[status], approvalId, why: null, balance: inUnit(asked.purse, balance) }
    },
  }),
  operation({
    ...ofAccount,
    route: 'POST /accounts/:account_id/commission-transfers',
    operationId: 'deskTransferCommission',
    refusals: [refusals.referenceTaken],
    summary: 'Move an account’s commission to its main wallet',
    description: 'Exactly once per reference: a repeat moves nothing and answers what was moved.',
    input: Type.Object({
      accountId: Uuid(),
      reference: CommissionTransferBody.properties.reference,
      amount: Ghs(CommissionTransferBody.properties.amount),
    }),
    output: Type.Object(
      {
        moved: WithWireName('transferred', Ghs({ description: 'GHS' })),
        commission: Ghs({ description: 'What the Commission Wallet holds now, in GHS.' }),
        main: WithWireName('balance', Ghs({ description: 'What the main wallet holds now, in GHS.' })),
      },
      { title: 'CommissionTransferred' },
    ),
    async act({ db }, { actor }, { accountId, amount, reference }) {
      const result = await moveCommission(db, { accountId, amount, externalId: reference, actor })
      if (result.state === 'refused') throw new RefusalError(result.why === 'not_enough' ? notEnough : refusals.referenceTaken)
      return result
    },
  }),
]
