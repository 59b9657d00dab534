import { dataOf, mustAnswer, mustEqual, Untried } from '../answers.ts'
import type { Api } from '../api.ts'
import { type Chapter, check } from '../check.ts'
import { listOf, moment, objectWith, oneOf, orNull, text, trueOrFalse, uuid, whole } from '../shapes.ts'

const key = 'sms'
const statuses = oneOf('queued', 'processing', 'completed', 'failed', 'blocked')
const campaign = objectWith({
  id: uuid,
  status: statuses,
  recipients_count: whole,
  segments: whole,
  credits_charged: whole,
  sender_used: text,
  source: text,
  scheduled_at: orNull(moment),
  created_at: moment,
})
const sent = objectWith({
  campaignId: uuid,
  status: statuses,
  recipients: whole,
  segments: whole,
  creditsCharged: whole,
  sender: text,
  sent: whole,
  failed: whole,
  balance: whole,
})

const send = (api: Api, more: object = {}) => {
  if (api.target.spendUpTo === 0) throw new Untried('it costs an SMS credit, and nothing may be spent')
  const body = { message: 'Conformance test.', recipients: [api.phone, api.phone], reference: api.reference('sms'), ...more }
  return api.ask('POST', '/sms/send', { key, body })
}

export const sms: Chapter = {
  name: 'SMS',
  checks: [
    check('SMS records, Balance', 'The balance has credits, totalPurchased, totalUsed, mode and accountStatus.', async (api) => {
      const shape = objectWith({ credits: whole, totalPurchased: whole, totalUsed: whole, mode: text, accountStatus: text })
      dataOf(await api.ask('GET', '/sms/balance', { key }), shape)
    }),
    check('SMS records, Sender', 'A sender has sender, type and isDefault.', async (api) => {
      const sender = objectWith({ sender: text, type: oneOf('own', 'pool'), isDefault: trueOrFalse })
      const shape = objectWith({ mode: text, defaultSender: text, senders: listOf(sender) })
      dataOf(await api.ask('GET', '/sms/senders', { key }), shape)
    }),
    check('GET /sms/campaigns', 'Campaigns come 30 a page, and the first page is 0.', async (api) => {
      const data = dataOf(
        await api.ask('GET', '/sms/campaigns', { key }),
        objectWith({ page: whole, campaigns: listOf(campaign, 30) }),
      )
      mustEqual('page', data.page, 0)
    }),
    check('SMS send body, recipients', 'Duplicates are removed, and credits are segments times recipients.', async (api) => {
      const data = dataOf(await send(api), sent)
      mustEqual('recipients', data.recipients, 1)
      mustEqual('creditsCharged', data.creditsCharged, data.segments * data.recipients)
    }),
    check('SMS send body, reference', 'A repeat with the same reference returns the original campaign.', async (api) => {
      const first = dataOf(await send(api), sent)
      mustEqual('campaignId', dataOf(await send(api), sent).campaignId, first.campaignId)
    }),
    check('GET /sms/messages/{id}', 'A campaign shows its messages, and how many have each status.', async (api) => {
      const { campaignId } = dataOf(await send(api), sent)
      const status = oneOf('queued', 'sent', 'delivered', 'undelivered', 'failed', 'expired', 'rejected')
      const message = objectWith({ recipient: text, status, status_updated_at: moment })
      const shape = objectWith({
        campaign: objectWith({ id: oneOf(campaignId) }),
        delivery: objectWith({}),
        messages: listOf(message, 100),
        page: whole,
      })
      dataOf(await api.ask('GET', `/sms/messages/${campaignId}`, { key }), shape)
    }),
    check('SMS send body, message', 'message has 3 to 1000 characters.', async (api) => {
      for (const message of ['ab', 'x'.repeat(1_001)]) {
        mustAnswer(await api.ask('POST', '/sms/send', { key, body: { message, recipients: '0241234567' } }), 400)
      }
    }),
    check('SMS send body, sender', 'A sender that is not approved answers 400.', async (api) => {
      const body = { message: 'Conformance test.', recipients: '0241234567', sender: 'NotMineAtAl' }
      mustAnswer(await api.ask('POST', '/sms/send', { key, body }), 400)
    }),
    check('Errors, 404', 'An SMS campaign that there is not is not found.', async (api) => {
      mustAnswer(await api.ask('GET', '/sms/messages/00000000-0000-4000-8000-000000000000', { key }), 404)
    }),
  ],
}
