import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { makeAccount } from '../../test/make-account.ts'
import { setUpCommandLine } from '../../test/set-up-command-line.ts'
import { allCommands } from '../all-commands.ts'

const desk = setUpCommandLine(allCommands)
const { run, json } = desk

it('`audit` looks at every row of a small ledger, also at those that it has found in order before', async () => {
  const { accountId } = await makeAccount(desk.db, { balancePesewas: 1_000 })
  expect(await json('audit')).toMatchObject({ ok: true })
  const falsify = (amount: number) =>
    desk.database.ownerDb.transaction().execute(async (tx) => {
      const { rows } = await sql<{ name: string }>`
        select 'transfers' as name union all select inhrelid::regclass::text from pg_inherits where inhparent = 'transfers'::regclass`.execute(
        tx,
      )
      const turn = async (onOrOff: 'enable' | 'disable') => {
        for (const { name } of rows) await sql`alter table ${sql.table(name)} ${sql.raw(onOrOff)} trigger user`.execute(tx)
      }
      await turn('disable')
      await sql`update transfers set amount = ${amount} where account_id = ${accountId}`.execute(tx)
      await turn('enable')
    })
  await falsify(1_001)
  const found = await run('audit')
  expect(found).toMatchObject({ exitCode: 1, stdout: expect.stringContaining('wallet differs from its transfers: 1') as string })
  await falsify(1_000)
  expect((await run('audit')).stdout).toMatch(/ rules hold for every row\.\n$/)
})
