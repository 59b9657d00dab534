import { join } from 'node:path'
import { openAppendOnlyLog } from '../effects/open-append-only-log.ts'
import { decodeGsm7 } from './decode-gsm7.ts'
import type { Submit } from './read-submit.ts'

/** One accepted part of a text, as stored in the file. */
type StoredPart = {
  readonly at: string
  readonly messageId: string
  readonly sender: string
  readonly recipient: string
  readonly dataCoding: number
  readonly part: Submit['part'] | null
  readonly hex: string
}

/** A text as its recipient's handset shows it. */
export type ReceivedText = {
  readonly recipient: string
  readonly sender: string
  readonly text: string
  readonly parts: number
  /** Time at which the last part was accepted. */
  readonly at: string
}

/** All accepted texts, put together per recipient. Lines are only added: a text that was accepted twice is listed twice. */
export type Inbox = {
  /** Resolves when the part would survive a killed process. */
  take(submit: Submit, messageId: string): Promise<void>
  /** Parts accepted so far. */
  count(): number
  /** Whole texts, oldest first. */
  texts(recipient?: string): readonly ReceivedText[]
  /** Number of texts that were begun, whole or in part, for each recipient with more than one. */
  repeats(): Record<string, number>
  close(): Promise<void>
}

const readUcs2 = new TextDecoder('utf-16be', { ignoreBOM: true })

function readText({ dataCoding, hex }: StoredPart): string {
  const bytes = Buffer.from(hex, 'hex')
  return dataCoding === 8 ? readUcs2.decode(bytes) : decodeGsm7(bytes)
}

/** Opens `smsc.jsonl` in a folder and puts its texts together. */
export async function openInbox(folder: string): Promise<Inbox> {
  const whole: ReceivedText[] = []
  const started = new Map<string, number>()
  const unfinished = new Map<string, (StoredPart | undefined)[]>()
  let count = 0

  function finish(parts: readonly StoredPart[]): void {
    const last = parts.at(-1) as StoredPart
    const at =
      parts
        .map((part) => part.at)
        .toSorted()
        .at(-1) ?? last.at
    whole.push({ recipient: last.recipient, sender: last.sender, text: parts.map(readText).join(''), parts: parts.length, at })
  }

  function index(stored: StoredPart): void {
    count += 1
    const { part, recipient, sender } = stored
    if (!part || part.no === 1) started.set(recipient, (started.get(recipient) ?? 0) + 1)
    if (!part) {
      finish([stored])
      return
    }
    const key = JSON.stringify([sender, recipient, part.join, part.of])
    const parts = unfinished.get(key) ?? Array.from({ length: part.of }, () => undefined)
    parts[part.no - 1] = stored
    unfinished.set(key, parts)
    if (parts.every((each) => each !== undefined)) {
      unfinished.delete(key)
      finish(parts)
    }
  }

  const log = await openAppendOnlyLog(join(folder, 'smsc.jsonl'), (text) => index(JSON.parse(text) as StoredPart))
  return {
    take: async ({ sender, recipient, dataCoding, part, text }, messageId) => {
      const at = new Date().toISOString()
      const stored = { at, messageId, sender, recipient, dataCoding, part: part ?? null, hex: text.toString('hex') }
      await log.append(JSON.stringify(stored))
      index(stored)
    },
    count: () => count,
    texts: (recipient) => (recipient === undefined ? whole : whole.filter((text) => text.recipient === recipient)),
    repeats: () => Object.fromEntries([...started].filter(([, times]) => times > 1)),
    close: log.close,
  }
}
