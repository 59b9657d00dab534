import { on } from 'node:events'
import { Writable } from 'node:stream'
import { parentPort, workerData } from 'node:worker_threads'
import type { TopUpRow } from '../top-ups/read-top-up.ts'
import { type ReceiptHeading, writeReceiptPdf } from '../top-ups/write-receipt-pdf.ts'
import type { Statement, StatementEntry } from './statement.ts'
import { type StatementHeading, writeStatementPdf } from './write-statement-pdf.ts'

/** The document to draw. The entries of a statement follow as messages. */
export type DocumentTask =
  | {
      readonly kind: 'statement'
      readonly statement: Omit<Statement, 'entries'> & { readonly entries: undefined }
      readonly heading: StatementHeading
    }
  | { readonly kind: 'receipt'; readonly topUp: TopUpRow; readonly heading: ReceiptHeading }

/** Some entries; null after the last. */
export type EntriesMessage = readonly StatementEntry[] | null

if (!parentPort) throw new Error('this module is the program of a thread')
const port = parentPort
// Listens before anything is awaited, so that no message is lost.
const messages = on(port, 'message') as AsyncIterable<[EntriesMessage]>

async function* entries(): AsyncGenerator<StatementEntry> {
  for await (const [some] of messages) {
    if (some === null) return
    yield* some
  }
}

const chunks: Uint8Array[] = []
const out = new Writable({
  write(chunk: Uint8Array, _encoding, done) {
    chunks.push(chunk)
    done()
  },
})
const task = workerData as DocumentTask
if (task.kind === 'receipt') await writeReceiptPdf(task.topUp, task.heading, out)
else await writeStatementPdf({ ...task.statement, entries }, task.heading, out)
const file = Uint8Array.from(Buffer.concat(chunks))
port.postMessage(file, [file.buffer])
port.close()
