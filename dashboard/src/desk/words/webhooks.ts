import { webhookWords } from '../../both/webhooks/webhook-words.ts'

export const deskWebhookWords = {
  none: 'This account has no webhook endpoint',
  noneNext: 'Its owner adds one in the app, under Developer.',
  pauseReasons: { ...webhookWords.pauseReasons, owner: 'paused by its owner' },
} as const
