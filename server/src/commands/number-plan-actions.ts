import { readConfig } from '../config.ts'
import { listPortedNumbers, listPrefixes } from '../networks/list-number-plan.ts'
import { addPrefix, removePortedNumber, removePrefix, setPortedNumber } from '../networks/write-number-plan.ts'
import type { Db } from '../platform/database/database.ts'
import { products } from '../products/products.ts'
import { UsageError } from './frame/command-error.ts'
import { operatorName } from './frame/operator-name.ts'
import { printResult } from './frame/print-result.ts'
import { readCount } from './frame/read-options.ts'
import { withDatabase } from './frame/with-database.ts'

export type PortedListOptions = { limit: string }

const limitMax = 100_000

const numberProducts = products.filter(({ followsNumberPlan }) => followsNumberPlan).map(({ name }) => name)

function readPrefix(text: string): string {
  if (/^0\d{2}$/.test(text)) return text
  throw new UsageError(`A prefix must be 3 digits starting with 0, such as 024, not ${JSON.stringify(text)}.`)
}

function readNumber(text: string): string {
  if (/^0\d{9}$/.test(text)) return text
  throw new UsageError(`A number must be 10 digits starting with 0, such as 0241234567, not ${JSON.stringify(text)}.`)
}

const onPlan = <T>(work: (db: Db, actor: string) => Promise<T>): Promise<T> =>
  withDatabase(readConfig(), (db) => work(db, operatorName()))

async function printPrefixes(change?: (db: Db, actor: string) => Promise<void>): Promise<void> {
  const prefixes = await onPlan(async (db, actor) => {
    await change?.(db, actor)
    return listPrefixes(db)
  })
  const lines = Object.entries(prefixes).map(([prefix, networks]) => `${prefix}  ${networks.join(', ')}`)
  printResult({ prefixes }, lines.join('\n') || 'No network has a prefix: every number is refused.')
}

export function runPrefixList(): Promise<void> {
  return printPrefixes()
}

export async function runPrefixAdd(text: string, network: string): Promise<void> {
  const prefix = readPrefix(text)
  await printPrefixes((db, actor) => addPrefix(db, numberProducts, { prefix, network, actor }))
}

export async function runPrefixRemove(text: string, network: string): Promise<void> {
  const prefix = readPrefix(text)
  await printPrefixes((db, actor) => removePrefix(db, numberProducts, { prefix, network, actor }))
}

export async function runPortedList(options: PortedListOptions): Promise<void> {
  const limit = readCount('--limit', options.limit, { least: 1, most: limitMax })
  const rows = await onPlan((db) => listPortedNumbers(db, { limit }))
  const numbers = rows.map((row) => ({ number: row.number, network: row.network, recorded_at: row.recorded_at.toISOString() }))
  const lines = numbers.map(({ number, network, recorded_at: at }) => `${number}  ${network}  since ${at}`)
  printResult({ numbers }, lines.join('\n') || 'No number is noted as carried to another network.')
}

export async function runPortedSet(text: string, network: string): Promise<void> {
  const number = readNumber(text)
  await onPlan((db, actor) => setPortedNumber(db, numberProducts, { number, operator: network, actor }))
  printResult({ number, network }, `${number} is a number of ${network} from now on.`)
}

export async function runPortedRemove(text: string): Promise<void> {
  const number = readNumber(text)
  await onPlan((db, actor) => removePortedNumber(db, number, actor))
  printResult({ number, removed: true }, `The prefix of ${number} says its network again.`)
}
