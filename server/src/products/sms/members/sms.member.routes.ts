import { credits } from '../../../money/amount.ts'
import { pesewas, pesewasFromGhs } from '../../../money/pesewas.ts'
import { readWallet } from '../../../money/wallets.ts'
import type { Db, Tx } from '../../../platform/database/database.ts'
import { inTransaction } from '../../../platform/database/in-transaction.ts'
import { Envelope, ok } from '../../../platform/http/envelope.ts'
import { RefusalError, refusals } from '../../../platform/http/refusals.ts'
import type { Api } from '../../../platform/http/route-types.ts'
import { chooseDefaultSender, listAllSenders, requestSender, SenderError } from '../campaigns/decide-sender.ts'
import { listSenders } from '../campaigns/list-senders.ts'
import type { SmsDeps } from '../campaigns/send-campaign.ts'
import { buySmsCredits, listCreditPacks } from '../credits/buy-sms-credits.ts'
import { smsRefusals } from '../sms.refusals.ts'
import { registerCampaignMemberRoutes } from './campaigns.member.routes.ts'
import { registerComposerMemberRoutes } from './composer.member.routes.ts'
import { registerContactMemberRoutes } from './contacts.member.routes.ts'
import { BuyCreditsBody, CreditsBought, Done, MemberSenders, SenderBody, SmsOverview } from './sms-member.schemas.ts'

const tags = ['SMS']

export function registerSmsMemberRoutes(app: Api, deps: SmsDeps): void {
  registerCredits(app, deps)
  registerSenders(app, deps)
  registerComposerMemberRoutes(app, deps)
  registerCampaignMemberRoutes(app, deps)
  registerContactMemberRoutes(app, deps)
}

async function readOverview({ db }: SmsDeps, accountId: string) {
  const [account, main, bought, senders, packs] = await Promise.all([
    db.selectFrom('accounts').select('is_business').where('id', '=', accountId).executeTakeFirstOrThrow(),
    readWallet(db, { accountId, purse: 'main' }),
    readWallet(db, { accountId, purse: 'sms_credits' }),
    listSenders(db, accountId),
    listCreditPacks(db),
  ])
  return {
    credits: bought.balance,
    isBusiness: account.is_business,
    defaultSender: senders.defaultSender,
    balancePesewas: main.balance,
    packs: packs.map(({ credits: amount, price }) => ({ credits: amount, pricePesewas: price })),
  }
}

function registerCredits(app: Api, deps: SmsDeps): void {
  app.get(
    '/sms',
    {
      config: { permission: 'look' },
      schema: { operationId: 'readSms', tags, summary: 'Credits, and what they cost', response: { 200: Envelope(SmsOverview) } },
    },
    async ({ membership }) => ok(await readOverview(deps, membership.accountId)),
  )
  app.post(
    '/sms/credits',
    {
      config: {
        permission: 'buy',
        refusals: [
          400,
          smsRefusals.businessAccountNeeded,
          smsRefusals.packNotSold,
          refusals.priceChanged('GHS 45.00'),
          refusals.spendingLimit('GHS 12.00'),
        ],
      },
      schema: {
        operationId: 'buySmsCredits',
        tags,
        summary: 'Buy a pack of SMS credits from the wallet',
        body: BuyCreditsBody,
        response: { 200: Envelope(CreditsBought) },
      },
    },
    async ({ body, membership, person }) => {
      const price = pesewas(pesewasFromGhs(body.price) ?? 0)
      const pack = { credits: credits(body.credits), price }
      const buyer = { accountId: membership.accountId, actor: person.email, personId: person.personId }
      const purchase = { ...pack, ...buyer, reference: body.reference }
      const bought = await buySmsCredits(deps, purchase)
      return ok({ ...bought, pricePesewas: bought.price, balancePesewas: bought.balance })
    },
  )
}

/**
 * Runs a change of an account's senders in a transaction.
 * @throws RefusalError with the message of the `SenderError` when the change is not allowed
 */
async function withSender(db: Db, change: (tx: Tx) => Promise<void>): Promise<void> {
  try {
    await inTransaction(db, change)
  } catch (error) {
    if (error instanceof SenderError) throw new RefusalError(smsRefusals.senderNotAllowed(error.message))
    throw error
  }
}

async function listMemberSenders(db: Db, accountId: string) {
  const [asked, usable] = await Promise.all([
    inTransaction(db, (tx) => listAllSenders(tx, { accountId })),
    listSenders(db, accountId),
  ])
  const isDefault = (sender: string) => sender === usable.defaultSender
  const own = asked.map(({ sender, status, reason }) => ({
    sender,
    type: 'own' as const,
    status,
    isDefault: isDefault(sender),
    reason,
  }))
  const pool = usable.senders
    .filter(({ type }) => type === 'pool')
    .map(({ sender }) => ({
      sender,
      type: 'pool' as const,
      status: 'approved' as const,
      isDefault: isDefault(sender),
      reason: null,
    }))
  return { senders: [...own, ...pool] }
}

function registerSenders(app: Api, { db }: SmsDeps): void {
  app.get(
    '/sms/senders',
    {
      config: { permission: 'look' },
      schema: {
        operationId: 'listSmsMemberSenders',
        tags,
        summary: 'Sender IDs and their state',
        response: { 200: Envelope(MemberSenders) },
      },
    },
    async ({ membership }) => ok(await listMemberSenders(db, membership.accountId)),
  )
  app.post(
    '/sms/senders',
    {
      config: { permission: 'manage_account', refusals: [400] },
      schema: {
        operationId: 'requestSmsSender',
        tags,
        summary: 'Ask for a sender ID of your own',
        description: 'The operator approves or rejects it, and the account gets a notice.',
        body: SenderBody,
        response: { 200: Envelope(Done) },
      },
    },
    async ({ body, membership, person }) => {
      const asked = { accountId: membership.accountId, sender: body.sender, actor: person.email }
      await withSender(db, (tx) => requestSender(tx, asked))
      return ok({ done: true } as const)
    },
  )
  app.post(
    '/sms/senders/default',
    {
      config: { permission: 'manage_account', refusals: [400] },
      schema: {
        operationId: 'chooseSmsSender',
        tags,
        summary: 'Make an approved sender ID of yours the default',
        body: SenderBody,
        response: { 200: Envelope(Done) },
      },
    },
    async ({ body, membership, person }) => {
      const chosen = { accountId: membership.accountId, sender: body.sender, actor: person.email }
      await withSender(db, (tx) => chooseDefaultSender(tx, chosen))
      return ok({ done: true } as const)
    },
  )
}
