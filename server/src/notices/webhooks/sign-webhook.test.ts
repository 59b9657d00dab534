import { expect, it } from 'vitest'
import { makeWebhookSecret, signWebhook } from './post-webhook.ts'

/** The example of the specification (standard-webhooks/standard-webhooks, spec/standard-webhooks.md). */
const example = {
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  at: 1_614_265_330,
  body: '{"test": 2432232314}',
  signature: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
}

it('signs as the specification of Standard Webhooks does in its example', () => {
  const { secret, id, at, body, signature } = example
  expect(signWebhook([secret], id, at, body)).toBe(signature)
})

it('signs with each secret while one is being changed', () => {
  const { secret, id, at, body, signature } = example
  const next = makeWebhookSecret()
  expect(Buffer.from(next.slice('whsec_'.length), 'base64')).toHaveLength(32)
  const [first, second, ...more] = signWebhook([next, secret], id, at, body).split(' ')
  expect([second, more]).toEqual([signature, []])
  expect(first).toBe(signWebhook([next], id, at, body))
})
