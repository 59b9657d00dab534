import { credits } from '../../../money/amount.ts'
import { Envelope, ok } from '../../../platform/http/envelope.ts'
import { refusals } from '../../../platform/http/refusals.ts'
import type { Api } from '../../../platform/http/route-types.ts'
import { findQuietEnd, type SmsDeps } from '../campaigns/send-campaign.ts'
import { findOptedOut } from '../contacts/opt-outs.ts'
import { smsRefusals } from '../sms.refusals.ts'
import { smsSwitchedOff } from '../sms.settings.ts'
import { describeText } from '../text/describe-text.ts'
import { deleteDraft, listDrafts, saveDraft } from './drafts.ts'
import { previewNames } from './preview-names.ts'
import { readSelectedRecipients, sendFromApp } from './send-from-app.ts'
import {
  AppSendBody,
  AppSent,
  Done,
  DraftBody,
  DraftPath,
  Drafts,
  pastedBytesMax,
  RecipientsBody,
  RecipientsCheck,
  TextBody,
  TextCheck,
} from './sms-member.schemas.ts'

const tags = ['SMS']

/** The most wrong lines that are listed; all are counted. */
export const wrongShown = 50

export function registerComposerMemberRoutes(app: Api, deps: SmsDeps): void {
  registerChecks(app, deps)
  registerSend(app, deps)
  registerDrafts(app, deps)
}

function registerChecks(app: Api, deps: SmsDeps): void {
  app.post(
    '/sms/check-text',
    {
      config: { isHeavy: true, changesNothing: true, permission: 'look' },
      schema: {
        operationId: 'checkSmsText',
        tags,
        summary: 'What a text costs, and whether it may be sent',
        body: TextBody,
        response: { 200: Envelope(TextCheck) },
      },
    },
    async ({ body }) => {
      const { plainSegments, blockedBecause, unusual, ...text } = await describeText(deps.settings, body.message)
      return ok({ ...text, unusual: [...unusual], plain_segments: plainSegments, blocked_because: blockedBecause ?? null })
    },
  )
  app.post(
    '/sms/check-recipients',
    {
      bodyLimit: pastedBytesMax,
      config: { isHeavy: true, changesNothing: true, permission: 'send_sms', refusals: [smsRefusals.listNotFound] },
      schema: {
        operationId: 'checkSmsRecipients',
        tags,
        summary: 'Whom a campaign would reach',
        description:
          'Numbers are cleaned: `+233`, spaces and dashes go, duplicates count once, wrong and foreign ones are named.',
        body: RecipientsBody,
        response: { 200: Envelope(RecipientsCheck) },
      },
    },
    async ({ body, membership }) => {
      const reach = { accountId: membership.accountId, recipients: body.recipients, listIds: body.listIds }
      const reached = await readSelectedRecipients(deps, reach)
      const { recipients, duplicates, wrong } = reached
      const optedOut = await findOptedOut(deps.db, membership.accountId, recipients)
      const left = { ...reached, recipients: recipients.filter((number) => !optedOut.has(number)) }
      return ok({
        recipients: left.recipients.length,
        optedOut: optedOut.size,
        waitsUntil: await findQuietEnd(deps.db, recipients.length, body.scheduledAt),
        duplicates,
        wrongCount: wrong.length,
        wrong: wrong.slice(0, wrongShown),
        named:
          (await previewNames(deps, { ...reach, message: body.message ?? '', nameFallback: body.nameFallback }, left)) ?? null,
      })
    },
  )
}

function registerSend(app: Api, deps: SmsDeps): void {
  app.post(
    '/sms/send',
    {
      bodyLimit: pastedBytesMax,
      config: {
        permission: 'send_sms',
        refusals: [
          400,
          smsRefusals.allOptedOut,
          smsRefusals.nameMissing,
          smsRefusals.insufficientCredits,
          smsRefusals.businessAccountNeeded,
          smsRefusals.listNotFound,
          refusals.priceChanged('90 SMS credits'),
          smsSwitchedOff,
        ],
      },
      schema: {
        operationId: 'sendSmsCampaign',
        tags,
        summary: 'Send a campaign, now or at a time',
        description:
          'Numbers that are wrong are left out, as the check of the recipients said. The credits are debited now, also of a scheduled campaign, and come back when it is cancelled.',
        body: AppSendBody,
        response: { 200: Envelope(AppSent) },
      },
    },
    async ({ body, membership, person }) => {
      const { message, recipients, listIds, sender, scheduledAt, nameFallback, credits: shown, reference } = body
      const campaign = { message, recipients, listIds, sender, scheduledAt, nameFallback, credits: credits(shown), reference }
      return ok(await sendFromApp(deps, { ...campaign, accountId: membership.accountId, personId: person.personId }))
    },
  )
}

function registerDrafts(app: Api, { db }: SmsDeps): void {
  app.get(
    '/sms/drafts',
    {
      config: { permission: 'look' },
      schema: { operationId: 'listSmsDrafts', tags, summary: 'Texts that are not sent yet', response: { 200: Envelope(Drafts) } },
    },
    async ({ membership }) => ok({ drafts: await listDrafts(db, membership.accountId) }),
  )
  app.put(
    '/sms/drafts/:draft_id',
    {
      bodyLimit: pastedBytesMax,
      config: { permission: 'send_sms', refusals: [smsRefusals.draftNotFound, smsRefusals.tooManyDrafts] },
      schema: {
        operationId: 'saveSmsDraft',
        tags,
        summary: 'Keep a text under the id that the page made for it',
        params: DraftPath,
        body: DraftBody,
        response: { 200: Envelope(Done) },
      },
    },
    async ({ params, body, membership, person }) => {
      const { message, recipients, listIds, sender = null, nameFallback = null } = body
      const draft = { draftId: params.draftId.toLowerCase(), message, recipients, listIds, sender, nameFallback }
      await saveDraft(db, { ...draft, accountId: membership.accountId, actor: person.email })
      return ok({ done: true } as const)
    },
  )
  app.delete(
    '/sms/drafts/:draft_id',
    {
      config: { permission: 'send_sms' },
      schema: {
        operationId: 'deleteSmsDraft',
        tags,
        summary: 'Throw a draft away',
        params: DraftPath,
        response: { 200: Envelope(Done) },
      },
    },
    async ({ params, membership }) => {
      await deleteDraft(db, membership.accountId, params.draftId)
      return ok({ done: true } as const)
    },
  )
}
