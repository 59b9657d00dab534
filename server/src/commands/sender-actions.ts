import { readAccount } from '../accounts/find-account.ts'
import { readConfig } from '../config.ts'
import type { Tx } from '../platform/database/database.ts'
import { inTransaction } from '../platform/database/in-transaction.ts'
import {
  addPoolSender,
  decideSender,
  type ListedSender,
  listAllSenders,
  requestSender,
} from '../products/sms/campaigns/decide-sender.ts'
import { operatorName } from './frame/operator-name.ts'
import { printResult } from './frame/print-result.ts'
import { readChoice } from './frame/read-options.ts'
import { withDatabase } from './frame/with-database.ts'

export type ListSendersOptions = { account?: string; status?: string }
export type RequestSenderOptions = { account: string }
export type DecideSenderOptions = { account: string; default?: boolean; reason?: string }

const statuses = ['requested', 'approved', 'rejected'] as const

const onSenders = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => withDatabase(readConfig(), (db) => inTransaction(db, work))

function describe({ sender, type, status, is_default, account_id, reason }: ListedSender): string {
  const notes = [is_default ? 'default' : '', reason ?? ''].filter((note) => note !== '')
  return [sender.padEnd(15), type === 'pool' ? 'pool' : `own ${account_id}`, status, ...notes].join('  ')
}

function print(senders: readonly ListedSender[]): void {
  printResult({ senders }, senders.map(describe).join('\n') || 'There is no such sender.')
}

export async function runSenderList({ account, status }: ListSendersOptions): Promise<void> {
  if (status !== undefined) readChoice('--status', status, statuses)
  print(
    await onSenders(async (tx) => {
      const accountId = account === undefined ? undefined : (await readAccount(tx, account)).accountId
      return listAllSenders(tx, {
        ...(accountId === undefined ? {} : { accountId }),
        ...(status === undefined ? {} : { status }),
      })
    }),
  )
}

async function listOne(tx: Tx, accountId: string, sender: string): Promise<ListedSender[]> {
  return (await listAllSenders(tx, { accountId })).filter((each) => each.sender === sender)
}

export async function runSenderRequest(sender: string, { account }: RequestSenderOptions): Promise<void> {
  print(
    await onSenders(async (tx) => {
      const { accountId } = await readAccount(tx, account)
      await requestSender(tx, { accountId, sender, actor: operatorName() })
      return listOne(tx, accountId, sender)
    }),
  )
}

export async function runSenderDecision(
  sender: string,
  status: 'approved' | 'rejected',
  { account, default: isDefault, reason }: DecideSenderOptions,
): Promise<void> {
  print(
    await onSenders(async (tx) => {
      const { accountId } = await readAccount(tx, account)
      await decideSender(tx, {
        accountId,
        sender,
        status,
        isDefault: isDefault === true,
        actor: operatorName(),
        ...(reason === undefined ? {} : { reason }),
      })
      return listOne(tx, accountId, sender)
    }),
  )
}

export async function runPoolAdd(sender: string, isDefault: boolean): Promise<void> {
  print(
    await onSenders(async (tx) => {
      await addPoolSender(tx, { sender, isDefault, actor: operatorName() })
      return (await listAllSenders(tx, {})).filter((each) => each.type === 'pool' && each.sender === sender)
    }),
  )
}
