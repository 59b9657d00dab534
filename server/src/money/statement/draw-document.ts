import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import pLimit from 'p-limit'
import type { TopUpRow } from '../top-ups/read-top-up.ts'
import type { ReceiptHeading } from '../top-ups/write-receipt-pdf.ts'
import type { DocumentTask, EntriesMessage } from './document-thread.ts'
import type { Statement, StatementEntry } from './statement.ts'
import type { StatementHeading } from './write-statement-pdf.ts'

/** The thread's program as it was built together with this one, so that an upgrade of the sources does not change it. */
const builtThread = join(import.meta.dirname, 'document-thread.mjs')

const threadFile = existsSync(builtThread) ? builtThread : fileURLToPath(new URL('document-thread.ts', import.meta.url))

/** How many entries one message holds. To copy them takes this thread about a millisecond. */
const entriesPerMessage = 500

/** One document at a time, so that documents take at most one processor, and the memory of one. */
const inTurn = pLimit(1)

/** Many times the memory of the largest document. */
const resourceLimits = { maxOldGenerationSizeMb: 128 }

async function sendEntries(thread: Worker, statement: Statement): Promise<void> {
  let some: StatementEntry[] = []
  // The lint rule is meant for windows of a browser, and this is a thread.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  const send = (message: EntriesMessage) => thread.postMessage(message)
  for await (const entry of statement.entries()) {
    some.push(entry)
    if (some.length < entriesPerMessage) continue
    send(some)
    some = []
  }
  send(some)
  send(null)
}

/**
 * Draws a document in a thread: loading the fonts takes some 100 ms and drawing a page 20 ms, in which all other requests
 * would wait. The document is sent only when it is complete.
 */
function draw(task: DocumentTask, feed: (thread: Worker) => Promise<void> = async () => {}): Promise<Readable> {
  return inTurn(async () => {
    const thread = new Worker(threadFile, { workerData: task, execArgv: [], resourceLimits })
    try {
      const [[file]] = await Promise.all([once(thread, 'message') as Promise<[Uint8Array]>, feed(thread)])
      return Readable.from([Buffer.from(file.buffer)])
    } finally {
      await thread.terminate()
    }
  })
}

/** Draws a statement as PDF. It should have no more entries than `statementPartEntries`. */
export function drawStatement(statement: Statement, heading: StatementHeading): Promise<Readable> {
  // A thread cannot be sent a function, so `entries` is left out.
  return draw({ kind: 'statement', statement: { ...statement, entries: undefined }, heading }, (thread) =>
    sendEntries(thread, statement),
  )
}

export function drawReceipt(topUp: TopUpRow, heading: ReceiptHeading): Promise<Readable> {
  return draw({ kind: 'receipt', topUp, heading })
}
