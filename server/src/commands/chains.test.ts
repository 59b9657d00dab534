import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { patienceSeconds } from '../../test/patience.ts'
import { setUpCommandLine } from '../../test/set-up-command-line.ts'
import { untilTransactionsEnd } from '../../test/until-transactions-end.ts'
import { allChains } from '../all-chains.ts'
import { allCommands } from '../all-commands.ts'
import { appendHeads, headsFile } from '../platform/chains/recorded-heads.ts'
import { sealChain } from '../platform/chains/seal-chain.ts'

const desk = setUpCommandLine(allCommands)
const { run, json } = desk

async function sealAll(): Promise<void> {
  await untilTransactionsEnd(desk.db)
  for (const chain of allChains) await sealChain(desk.db, chain, { restSeconds: 0, milliseconds: patienceSeconds * 1_000 })
}

async function setSomething(value: string): Promise<void> {
  await json('setting', 'set', 'data_enabled', value)
  await sealAll()
}

it('`log --verify` and `audit --chain` prove what is sealed and print the heads that `log --head` prints', async () => {
  expect(await json('audit', '--chain')).toMatchObject({ ok: true, chains: { transfers: { blocks: 0, head: null } } })
  await setSomething('false')
  const { heads } = (await json('log', '--head')) as { heads: { chain: string; head: string }[] }
  expect(heads.map(({ chain }) => chain)).toEqual(['operator_log', 'order_events', 'transfers'])
  const head = heads[0]?.head ?? ''
  expect(head).toMatch(/^operator_log:\d+:[0-9a-f]{64}$/)
  expect(await json('log', '--verify')).toEqual({
    ok: true,
    chains: { operator_log: { blocks: 1, rows: 1, head, finding: null } },
  })
  await setSomething('true')
  expect(await json('log', '--verify', '--noted', head)).toMatchObject({ ok: true })
  expect(await json('audit', '--chain', '--noted', head)).toMatchObject({ ok: true, chains: { operator_log: { rows: 2 } } })
  expect((await run('log', '--verify')).stdout).toMatch(
    /^operator_log: 2 rows in 2 blocks are as they were sealed\. Head: operator_log:2:/,
  )
})

it('they end with exit code 1 and name the line that was altered, and when it was sealed', async () => {
  await desk.database.ownerDb.transaction().execute(async (tx) => {
    await sql`alter table operator_log disable trigger user`.execute(tx)
    await sql`update operator_log set actor = 'nobody' where id = (select min(id) from operator_log)`.execute(tx)
    await sql`alter table operator_log enable trigger user`.execute(tx)
  })
  const { exitCode, stdout } = await run('log', '--verify')
  expect(exitCode).toBe(1)
  expect(stdout).toMatch(
    /^operator_log is NOT as it was sealed\. First of all, line \d+ of block 1, sealed at \d+ \w+ \d{4}, \d\d:\d\d GMT, was altered after it was sealed\.\n$/,
  )
  const audit = await run('audit', '--chain', '--json')
  expect(audit.exitCode).toBe(1)
  expect(JSON.parse(audit.stdout)).toMatchObject({
    ok: false,
    chains: { operator_log: { finding: { what: 'row altered', block_no: 1 } }, transfers: { finding: null } },
  })
})

it.each([
  [['log', '--verify', '--head'], 'Either --verify or --head'],
  [['log', '--noted', 'x'], '--noted is compared by --verify'],
  [['log', '--verify', '--noted', 'x'], '--noted must be a head'],
  [['log', '--verify', '--noted', `transfers:1:${'0'.repeat(64)}`], 'audit --chain'],
  [['log', '--verify', '--from', 'soon'], '--from must be'],
  [['audit', '--from', '2027-01-01'], 'go with --chain'],
  [['audit', '--chain', '--full'], 'Only one of --chain, --full and --recent'],
])('%j is wrong usage', async (words, message) => {
  expect(await run(...words)).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(message) as string })
})

it('`audit --chain` compares with every head of DATA_DIR and of the files that are named: all blocks made anew are found', async () => {
  const { dataDir, db, ownerDb } = { dataDir: desk.folder, db: desk.db, ownerDb: desk.database.ownerDb }
  await ownerDb.transaction().execute(async (tx) => {
    await sql`alter table chain_blocks disable trigger user`.execute(tx)
    await sql`delete from chain_blocks`.execute(tx)
    await sql`alter table chain_blocks enable trigger user`.execute(tx)
  })
  await sealAll()
  expect(await json('audit', '--chain')).not.toHaveProperty('heads_compared')
  await appendHeads(db, headsFile(dataDir))
  const copy = join(dataDir, 'copy-of-heads.txt')
  await copyFile(headsFile(dataDir), copy)
  expect(await json('audit', '--chain', '--heads', copy)).toMatchObject({ ok: true, heads_compared: 2 })
  await ownerDb.transaction().execute(async (tx) => {
    await sql`alter table operator_log disable trigger user`.execute(tx)
    await sql`update operator_log set actor = 'somebody' where id = (select min(id) from operator_log)`.execute(tx)
    await sql`alter table operator_log enable trigger user`.execute(tx)
    await sql`alter table chain_blocks disable trigger user`.execute(tx)
    await sql`delete from chain_blocks`.execute(tx)
    await sql`alter table chain_blocks enable trigger user`.execute(tx)
  })
  await sealAll()
  const audit = await run('audit', '--chain', '--json')
  expect(audit.exitCode).toBe(1)
  expect(JSON.parse(audit.stdout)).toMatchObject({
    ok: false,
    chains: { operator_log: { finding: { what: expect.stringMatching(/^block (altered|missing)$/) as string } } },
  })
  expect(await run('audit', '--chain', '--heads', join(dataDir, 'none.txt'))).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('holds no heads') as string,
  })
})
