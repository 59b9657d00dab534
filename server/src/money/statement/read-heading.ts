import { listHeads, writeHead } from '../../platform/chains/noted-heads.ts'
import type { Db } from '../../platform/database/database.ts'
import { readSetting } from '../../platform/settings/settings.ts'
import { operatorNameSetting } from '../money.settings.ts'
import { transfersChain } from '../transfers-chain.ts'
import type { StatementHeading } from './write-statement-pdf.ts'

/** Reads the operator's name and the newest seal of the transfers. */
export async function readHeading(
  db: Db,
  account: Pick<StatementHeading, 'accountName' | 'accountEmail'>,
): Promise<StatementHeading> {
  const [operatorName, heads] = await Promise.all([readSetting(db, operatorNameSetting), listHeads(db)])
  const head = heads.find(({ chain }) => chain === transfersChain.name)
  return { ...account, operatorName, seal: head ? writeHead(head) : null, createdAt: new Date() }
}
