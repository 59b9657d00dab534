import type { Installation } from '../installation.ts'

/** A whole text that the SMSC accepted, from its durable log. */
export type TakenText = { readonly recipient: string; readonly text: string }

type Message = { recipient: string; status: string; submit: string; message: string }

/** Reads the simulator's SMSC; with a body, changes its behaviour. */
export async function askSmsc<Answer>(installation: Installation, path: string, body?: unknown): Promise<Answer> {
  const headers = { 'content-type': 'application/json' }
  const change = body === undefined ? {} : { method: 'POST', headers, body: JSON.stringify(body) }
  const response = await fetch(`${installation.simulator.url}${path}`, change)
  if (!response.ok) throw new Error(`${path}: ${await response.text()}`)
  return (await response.json()) as Answer
}

/**
 * The fewest whole texts that a message's recipient must have. A message that is queued, or `sent` because of its deadline,
 * may still arrive.
 */
function leastOf(status: string | undefined): number {
  return status === undefined || ['queued', 'sent', 'failed'].includes(status) ? 0 : 1
}

function mostOf(status: string): number {
  return status === 'failed' ? 0 : 1
}

function listMessages(installation: Installation): Promise<Message[]> {
  return installation.query<Message>(
    `select sms_messages.recipient, sms_messages.status, submit, message
     from sms_messages join sms_campaigns on sms_campaigns.id = campaign_id`,
  )
}

/**
 * Compares received texts with campaigns: nobody got a text twice, whole or in part; a delivered message arrived once; a
 * failed one never arrived whole.
 * @returns the breaches, in words
 */
export async function findTextBreaches(installation: Installation): Promise<string[]> {
  // Workers may run meanwhile, so the messages are read before and after the texts. A message that was delivered at the first
  // read must be among the texts; one that has failed at the second read must not.
  const before = new Map((await listMessages(installation)).map(({ recipient, status }) => [recipient, status]))
  const { texts } = await askSmsc<{ texts: TakenText[] }>(installation, '/smsc/texts')
  const { repeats } = await askSmsc<{ repeats: Record<string, number> }>(installation, '/smsc/repeats')
  const messages = await listMessages(installation)
  const breaches = Object.entries(repeats).map(([recipient, times]) => `${recipient} was sent the text ${times} times`)
  const received = new Map<string, string[]>()
  for (const { recipient, text } of texts) received.set(recipient, [...(received.get(recipient) ?? []), text])
  for (const message of messages) {
    const { recipient, status, submit } = message
    const got = received.get(recipient) ?? []
    if (got.length < leastOf(before.get(recipient)) || got.length > mostOf(status))
      breaches.push(`${recipient} is ${status} (${submit}) and got ${got.length} texts`)
    if (got.some((text) => text !== message.message)) breaches.push(`${recipient} got another text: ${JSON.stringify(got)}`)
    received.delete(recipient)
  }
  for (const recipient of received.keys()) breaches.push(`${recipient} got a text and is in no campaign`)
  return breaches
}
