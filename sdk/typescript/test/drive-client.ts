/**
 * Makes the calls of a test's jobs and prints the results of each job as a line of JSON. It is the driver for TypeScript, as
 * `drive-client.php` and `drive_client.py` are for their languages. Reads `{ jobs, atOnce }` as JSON from standard input.
 */
import process from 'node:process'
import { text } from 'node:stream/consumers'
import { type CallOptions, type ClientOptions, MakolaClient, MakolaError, verifyWebhook } from '../src/index.ts'

type Job = {
  readonly name: string
  readonly call: string
  readonly arguments: readonly unknown[]
  readonly options?: CallOptions
  readonly client: ClientOptions
  /** How often the call is made, one after the other. */
  readonly times: number
  /** True: repeats the call with its reference as long as its outcome is not clear. */
  readonly isMadeAgain: boolean
  /** Waits for the end of the order that was placed: its product and the seconds. */
  readonly wait?: readonly [string, number]
}

type Result = {
  readonly ends: string
  readonly reason?: string
  readonly reference?: string | undefined
  readonly value?: unknown
}

type Method = (...values: readonly unknown[]) => unknown

async function valueOf(returned: unknown): Promise<unknown> {
  if (typeof returned !== 'object' || returned === null || !(Symbol.asyncIterator in returned)) return returned
  const rows: unknown[] = []
  for await (const row of returned as AsyncIterable<unknown>) rows.push(row)
  return rows
}

async function attempt(make: () => unknown): Promise<Result> {
  try {
    return { ends: 'value', value: await valueOf(await make()) }
  } catch (error) {
    if (error instanceof MakolaError) return { ends: error.name, reason: error.reason, reference: error.reference }
    return { ends: error instanceof TypeError ? 'UsageError' : 'unexpected', reason: String(error) }
  }
}

async function run(job: Job): Promise<{ name: string; results: Result[]; told: string[] }> {
  const told: string[] = []
  const results: Result[] = []
  if (job.call === 'verifyWebhook') {
    const [headers, body, secrets, now] = job.arguments as [Record<string, string>, string, string[], number]
    const delivery = { headers, body, secrets, now: new Date(now * 1_000) }
    return { name: job.name, results: [await attempt(async () => (await verifyWebhook(delivery)).payload)], told }
  }
  const made = await attempt(() => new MakolaClient({ ...job.client, onReference: ({ reference }) => void told.push(reference) }))
  if (made.ends !== 'value') return { name: job.name, results: [made], told }
  const client = made.value as Record<string, Method>
  const call = (values: readonly unknown[], more: CallOptions = {}) => {
    const options = { ...job.options, ...more }
    return attempt(() => client[job.call]?.(...values, ...(Object.keys(options).length > 0 ? [options] : [])))
  }
  for (let time = 0; time < job.times; time += 1) results.push(await call(job.arguments))
  for (let last = results.at(-1); job.isMadeAgain && last?.ends === 'UnclearError'; last = results.at(-1)) {
    const [order, ...rest] = job.arguments
    results.push(await call([{ ...(order as object), reference: last.reference }, ...rest], { isRepeat: true }))
  }
  const placed = results.at(-1)?.value as { reference: string } | undefined
  if (job.wait && placed) results.push(await attempt(() => client['waitUntilDone']?.(placed.reference, ...(job.wait ?? []))))
  return { name: job.name, results, told }
}

const { jobs, atOnce } = JSON.parse(await text(process.stdin)) as { jobs: Job[]; atOnce: number }
const left = jobs.values()
const lane = async () => {
  for (const job of left) process.stdout.write(`${JSON.stringify(await run(job))}\n`)
}
await Promise.all(Array.from({ length: atOnce }, lane))
