import { readFileSync } from 'node:fs'
import { pino } from 'pino'
import { readConfig } from '../../config.ts'
import { changeGateway } from '../../gateways/change-gateway.ts'
import { gatewayAdapters } from '../../gateways/gateway-adapters.ts'
import { testGateway } from '../../gateways/test-gateway.ts'
import { type GatewayChange, GatewayChangeError, type ListedGateway, listGateways } from '../../gateways/write-gateway.ts'
import { describeLoosening } from '../../guards/loosening.ts'
import { openConfiguredGateways } from '../../open-configured-gateways.ts'
import { CommandError, UsageError } from '../frame/command-error.ts'
import { operatorName, personOf } from '../frame/operator-name.ts'
import { printResult } from '../frame/print-result.ts'
import { checkText } from '../frame/read-options.ts'
import { withDatabaseAndKeys } from '../frame/with-database.ts'

function print(gateways: readonly ListedGateway[], approvalId?: string): void {
  const lines = gateways.map(
    ({ name, is_enabled, base_url, credentials_set, is_unreadable }) =>
      `${name}: ${is_enabled ? 'enabled' : 'disabled'}, at ${base_url}, credentials ${is_unreadable ? 'cannot be read: set them again' : `set: ${credentials_set.join(', ')}`}`,
  )
  const waits = approvalId === undefined ? [] : [describeLoosening(approvalId)]
  printResult(
    { gateways, ...(approvalId !== undefined && { approval_id: approvalId, status: 'pending' }) },
    [...lines, ...waits].join('\n') || 'There is no gateway yet. Set one up with `makola gateway set`.',
  )
}

export async function runGatewayList(): Promise<void> {
  print(await withDatabaseAndKeys(readConfig(), listGateways))
}

function readSecret(value: string): string {
  if (!value.startsWith('@')) return value
  try {
    return readFileSync(value.slice(1), 'utf8').trim()
  } catch {
    throw new CommandError(`The file ${value.slice(1)} cannot be read.`)
  }
}

function readAddress(value: string): string {
  if (URL.canParse(value) && new URL(value).protocol === 'https:') return value.replace(/\/+$/, '')
  throw new UsageError('base_url must start with https://: our key travels in every request.')
}

function readChange(words: readonly string[]): GatewayChange {
  let change: GatewayChange = {}
  for (const word of words) {
    const [, key = '', value = ''] = /^([^=]+)=(.*)$/s.exec(word) ?? []
    const [, credential] = /^credentials\.(.+)$/.exec(key) ?? []
    if (credential !== undefined) {
      change = { ...change, credentials: { ...change.credentials, [credential]: readSecret(value) } }
    } else if (key === 'enabled' && ['true', 'false'].includes(value)) change = { ...change, isEnabled: value === 'true' }
    else if (key === 'base_url') change = { ...change, baseUrl: readAddress(value) }
    // The message does not repeat the wrong word, because the word may be a credential without its name.
    else throw new UsageError('Every word must be enabled=true|false, base_url=https://… or credentials.NAME=TEXT|@FILE.')
  }
  return change
}

export async function runGatewayTest(name: string): Promise<void> {
  if (!gatewayAdapters.some((known) => known.name === name)) {
    throw new UsageError(`There is no gateway ${name}; known: ${gatewayAdapters.map((known) => known.name).join(', ')}.`)
  }
  const config = readConfig()
  const { isWell, evidence } = await withDatabaseAndKeys(config, (db, secretsKeys) =>
    testGateway(
      { db, gateways: openConfiguredGateways(config, { db, secretsKeys, log: pino({ level: 'silent' }) }) },
      name,
      operatorName(),
    ),
  )
  if (!isWell) throw new CommandError(`${name} did not answer as it should: ${evidence}`)
  printResult({ gateway: name, is_well: isWell, said: evidence }, `${name} is reached and takes our credentials.`)
}

export async function runGatewaySet(name: string, words: readonly string[], options: { by?: string }): Promise<void> {
  const change = readChange(words)
  checkText('--by', options.by)
  try {
    const { gateways, changed } = await withDatabaseAndKeys(readConfig(), async (db, keys) => ({
      changed: await changeGateway(db, keys, { name, change, person: personOf(options.by) }),
      gateways: (await listGateways(db, keys)).filter((gateway) => gateway.name === name),
    }))
    print(gateways, changed.state === 'done' ? undefined : changed.approvalId)
  } catch (error) {
    if (error instanceof GatewayChangeError) throw new UsageError(error.message)
    throw error
  }
}
