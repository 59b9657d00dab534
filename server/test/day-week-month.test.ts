import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { allChains } from '../src/all-chains.ts'
import { allCommands } from '../src/all-commands.ts'
import { openDemo } from '../src/demo/open-demo.fixture.ts'
import { writeDemoHistory } from '../src/demo/year/write-demo-history.ts'
import { sealChain } from '../src/platform/chains/seal-chain.ts'
import { products } from '../src/products/products.ts'
import { rollUp } from '../src/reports/roll-up.ts'
import { root } from './reading/read-sources.ts'
import { setUpCommandLine } from './set-up-command-line.ts'
import { untilTransactionsEnd } from './until-transactions-end.ts'

const secretsKey = Buffer.alloc(32, 7).toString('base64')
const commandLine = setUpCommandLine(allCommands, { SECRETS_KEY: secretsKey })

/** Two months of the demo's invented history, counted and sealed as the worker would. */
beforeAll(async () => {
  const { secretsKeys } = await openDemo(commandLine.db, commandLine.folder, { secretsKey: { base64: secretsKey } })
  const wish = { orderCount: 2_000, months: 2, seed: 11, until: new Date('2026-11-02T09:00:00Z') }
  await writeDemoHistory({ db: commandLine.db, secretsKeys }, wish)
  while (!(await rollUp(commandLine.db, products)).isComplete);
  await untilTransactionsEnd(commandLine.db)
  for (const chain of allChains) await sealChain(commandLine.db, chain, { restSeconds: 0 })
})

/** The first row of a query. */
async function first<Row>(query: ReturnType<typeof sql<Row>>): Promise<Row> {
  const { rows } = await query.execute(commandLine.db)
  if (!rows[0]) throw new Error('the invented history has no such row')
  return rows[0]
}

/** Writes a statement of Hubtel for October that leaves out one delivery. */
async function writeHubtelStatement(): Promise<void> {
  const { rows } = await sql<{ reference: string; amount: string; at: string }>`
    select outgoing_reference as reference, to_char(orders.price / 100.0, 'FM999990.00') as amount,
      to_char(attempts.created_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS') as at
    from attempts join orders on orders.id = order_id
    where supplier = 'hubtel' and outcome = 'delivered'
      and attempts.created_at >= '2026-10-02' and attempts.created_at < '2026-10-31'
    order by attempts.created_at`.execute(commandLine.db)
  const lines = rows.slice(1).map(({ reference, amount, at }) => `${reference},${amount},${at}`)
  await writeFile(join(commandLine.folder, 'hubtel-october.csv'), ['reference,amount,date', ...lines].join('\n'))
}

/** What this installation uses for each of the page's examples. */
const examples: Readonly<Record<string, () => Promise<string>>> = {
  'ama@example.com': async () =>
    (
      await first(sql<{ email: string }>`
        select email from accounts join orders on orders.account_id = accounts.id where email like '%@year.makola.test'
        group by email order by count(*) desc, email limit 1`)
    ).email,
  'my-first-order': async () =>
    (
      await first(sql<{ reference: string }>`
        select reference from orders join open_orders on order_id = orders.id
        where kind = 'data' and status = 'processing' order by orders.id limit 1`)
    ).reference,
  '024 123 4567': async () =>
    (await first(sql<{ recipient: string }>`select recipient from orders where kind = 'data' order by id desc limit 1`))
      .recipient,
  APPROVAL: async () => {
    const { approvals } = (await commandLine.json('approvals', 'list')) as {
      approvals: readonly { approval_id: string; kind: string }[]
    }
    return approvals.find(({ kind }) => kind === 'wallet correct')?.approval_id ?? 'none'
  },
  DIFFERENCE: async () => {
    const { differences } = (await commandLine.json('reconcile', 'differences', '--open')) as {
      differences: readonly { id: string }[]
    }
    return differences[0]?.id ?? 'none'
  },
}

/** The words of a line, with this installation's names and files in the place of the page's. */
async function wordsOf(line: string): Promise<string[]> {
  let text = line.replace(/\s+#.*$/, '').replace(/^makola /, '')
  for (const [example, find] of Object.entries(examples)) {
    if (text.includes(example)) text = text.replaceAll(example, await find())
  }
  const words = [...text.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '')
  return words.map((word) => (/\.(csv|pdf)$/.test(word) ? join(commandLine.folder, word) : word))
}

const page = readFileSync(join(root, 'docs', 'operating', 'day-week-month.md'), 'utf8')
const lines = [...page.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].flatMap(([, block = '']) => block.trim().split('\n'))

describe('each line of the page for the day, the week and the month does its work, in their order', () => {
  test('the page has lines', () => expect(lines.length).toBeGreaterThan(40))

  test.for(lines.map((line) => [line] as const))('%s', async ([line]) => {
    if (line.includes('hubtel-october.csv')) await writeHubtelStatement()
    const { exitCode, stdout, stderr } = await commandLine.run(...(await wordsOf(line)))
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
    expect(stdout.trim()).not.toBe('')
  })
})
