import { setTimeout as sleep } from 'node:timers/promises'
import { patienceSeconds } from '../../../test/patience.ts'
import { startSimulator } from '../../../test/start-simulator.ts'
import type { OutgoingSms, SmsLink, SmsReceipt } from '../sms-ports.ts'
import type { SmppAddress } from './connection.ts'
import { openSmppLink } from './link.ts'
import { readSmppSettings, type SmppSettings } from './settings.ts'

export type LinkOptions = {
  settings?: SmppSettings
  windowSize?: number
  perSecond?: number | null
  password?: string
  /** An address other than the simulator's. */
  address?: SmppAddress
  /** Does not wait for the bind. */
  isExpectedDown?: boolean
  onReceipt?: (receipt: SmsReceipt) => Promise<void>
}

export type SmppBench = {
  /** Receipts of the present test. */
  readonly receipts: SmsReceipt[]
  /** At each change of a link's state: whether the link is bound now. */
  readonly states: boolean[]
  /** At each change of a link's state: why it changed. */
  readonly evidence: string[]
  readonly port: number
  bind(options?: LinkOptions): Promise<SmsLink>
  ask(method: string, path: string, body?: unknown): Promise<Record<string, unknown>>
  /** Texts as a recipient's handset shows them. */
  textsOf(recipient: string): Promise<{ text: string; sender: string }[]>
  /** Closes the links and resets the SMSC. */
  reset(): Promise<void>
  close(): Promise<void>
}

/**
 * Polls until the condition holds.
 * @throws Error when it does not hold in time
 */
export async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + patienceSeconds * 1_000
  while (!(await isTrue())) {
    if (Date.now() > deadline) throw new Error('did not come true')
    await sleep(10)
  }
}

/** A GSM-7 text with one segment per argument. */
export const gsm = (...segments: string[]): OutgoingSms['text'] => ({
  encoding: 'gsm7',
  segments: segments.map((segment) => Buffer.from(segment, 'latin1')),
  isConcatenated: segments.length > 1,
})

export const sms = (recipient: string, text = gsm('hello'), sender = 'Makola'): OutgoingSms => ({ sender, recipient, text })

let numbers = 0
export const freshNumber = (ending = '000') => `2332${String(++numbers).padStart(5, '0')}${ending}`

async function askAt(url: string, method: string, body?: unknown): Promise<Record<string, unknown>> {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(url, { method, ...(body === undefined ? {} : { headers, body: JSON.stringify(body) }) })
  if (!response.ok) throw new Error(await response.text())
  return (await response.json()) as Record<string, unknown>
}

export async function startSmppBench(): Promise<SmppBench> {
  const simulator = await startSimulator({ timeScale: 0.05 })
  const ask = (method: string, path: string, body?: unknown) => askAt(`${simulator.url}${path}`, method, body)
  const port = (await ask('GET', '/smpp'))['port'] as number
  const links: SmsLink[] = []
  const receipts: SmsReceipt[] = []
  const states: boolean[] = []
  const evidence: string[] = []
  return {
    receipts,
    states,
    evidence,
    port,
    ask,
    textsOf: async (recipient) =>
      (await ask('GET', `/smsc/texts?recipient=${recipient}`))['texts'] as { text: string; sender: string }[],
    async bind(options = {}) {
      const link = openSmppLink(
        {
          findAddress: () => Promise.resolve(options.address ?? { host: '127.0.0.1', port, isSecure: false }),
          systemId: 'simulated',
          password: options.password ?? 'smpp',
          vocabulary: { ...readSmppSettings(options.settings), reconnectSeconds: 0.05, reconnectSecondsMax: 0.2 },
          windowSize: options.windowSize ?? 10,
          perSecond: options.perSecond ?? null,
        },
        {
          onReceipt: options.onReceipt ?? (async (receipt) => void receipts.push(receipt)),
          onReply: () => Promise.resolve(),
          onStateChange: (isBound, why) => {
            states.push(isBound)
            evidence.push(why)
          },
        },
      )
      links.push(link)
      if (!options.isExpectedDown) await until(() => link.isBound())
      return link
    },
    async reset() {
      await ask('DELETE', '/control/smsc')
      await Promise.all(links.splice(0).map((link) => link.close()))
      for (const list of [receipts, states, evidence]) list.length = 0
    },
    async close() {
      await simulator.stop()
    },
  }
}
