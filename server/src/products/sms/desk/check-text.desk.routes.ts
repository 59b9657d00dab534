import Type from 'typebox'
import { Envelope, ok } from '../../../platform/http/envelope.ts'
import type { Api } from '../../../platform/http/route-types.ts'
import { Nullable } from '../../../platform/http/schemas.ts'
import type { Settings } from '../../../platform/settings/settings.ts'
import { TextCheck } from '../members/sms-member.schemas.ts'
import { smsContentRules, smsReceiptScore } from '../sms.settings.ts'
import { describeText } from '../text/describe-text.ts'
import { findBlockingRule } from '../text/find-blocking-rule.ts'
import { scoreReceipt } from '../text/score-receipt.ts'

const { encoding, blocked_because: blockedBecause } = TextCheck.properties

const DeskTextCheck = Type.Object(
  {
    encoding,
    segments: Type.Integer(),
    blocked_by: Nullable(Type.String({ description: 'The rule that blocks it; null: it may be sent.' })),
    blocked_because: blockedBecause,
    receipt_score: Type.Number({ description: 'How much it reads like a receipt: above 0 rather, 4 and more almost surely.' }),
    receipt_score_min: Type.Number({ description: 'From which score on it is blocked.' }),
  },
  { title: 'DeskTextCheck' },
)

export function registerTextCheck(desk: Api, { settings }: { readonly settings: Settings }): void {
  desk.post(
    '/sms/check-text',
    {
      config: { isHeavy: true, changesNothing: true, permission: 'see' },
      schema: {
        operationId: 'deskCheckText',
        tags: ['SMS'],
        summary: 'What the content policy says of a text',
        body: Type.Object({ message: Type.String({ minLength: 1, maxLength: 1000 }) }),
        response: { 200: Envelope(DeskTextCheck) },
      },
    },
    async ({ body: { message } }) => {
      const [rules, receiptScoreMin] = await Promise.all([settings.read(smsContentRules), settings.read(smsReceiptScore)])
      const { encoding: code, segments, blockedBecause: because } = await describeText(settings, message)
      return ok({
        encoding: code,
        segments,
        blocked_by: findBlockingRule(message, { rules, receiptScoreMin }) ?? null,
        blocked_because: because ?? null,
        receipt_score: scoreReceipt(message),
        receipt_score_min: receiptScoreMin,
      })
    },
  )
}
