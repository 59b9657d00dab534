import type { Role } from '../accounts/caller.ts'
import { readAccount } from '../accounts/find-account.ts'
import { readConfig } from '../config.ts'
import {
  changeCommissionRate,
  changeCommissionShare,
  listCommissionTerms,
  percentOfPoints,
} from '../money/by-people/change-commission.ts'
import { needExternalId } from '../money/by-people/need-external-id.ts'
import { formatGhs, ghs, pesewas } from '../money/pesewas.ts'
import { type CommissionMoveResult, moveCommission } from '../money/transfer-commission.ts'
import { type CommissionEntry, readCommissionAccount } from '../orders/queries/read-commission-account.ts'
import type { Tx } from '../platform/database/database.ts'
import { products } from '../products/products.ts'
import { CommandError, UsageError } from './frame/command-error.ts'
import { operatorName } from './frame/operator-name.ts'
import { printResult } from './frame/print-result.ts'
import { checkText, readGhs, readPercent } from './frame/read-options.ts'
import { withDatabase } from './frame/with-database.ts'

export type CommissionTransferOptions = { account: string; amount: string; id?: string }
export type RateOptions = { product: string; network: string; percent: string }
export type ShareOptions = { product: string; role: Role; percent: string }

const entriesShown = 20

function causeOf({ kind, reference }: CommissionEntry): string {
  if (kind === 'commission') return reference ?? ''
  return reference === null ? 'to the main wallet' : `to the main wallet: ${reference}`
}

export async function runCommissionShow(account: string): Promise<void> {
  const { accountId, shown } = await withDatabase(readConfig(), async (db) => {
    const found = await readAccount(db, account)
    return { accountId: found.accountId, shown: await readCommissionAccount(db, found.accountId, entriesShown) }
  })
  const balance = pesewas(shown.balancePesewas)
  const entries = shown.entries.map((entry) => ({
    at: entry.at.toISOString(),
    kind: entry.kind,
    amount: ghs(pesewas(entry.amountPesewas)),
    balance: ghs(pesewas(entry.balancePesewas)),
    reference: entry.reference,
  }))
  const lines = shown.entries.map(
    (entry) => `${entry.at.toISOString()}  ${formatGhs(pesewas(entry.amountPesewas)).padStart(14)}  ${causeOf(entry)}`,
  )
  const text = [`The Commission Wallet holds ${formatGhs(balance)}.`, ...lines].join('\n')
  printResult({ account_id: accountId, balance: ghs(balance), entries }, text)
}

function refusedText(result: CommissionMoveResult & { state: 'refused' }, id: string | undefined): string {
  if (result.why === 'external_id_taken') return `The id ${id ?? ''} was already used for a different transfer.`
  return `The Commission Wallet holds ${formatGhs(pesewas(result.commission))}: not enough.`
}

export async function runCommissionTransfer(options: CommissionTransferOptions): Promise<void> {
  const amount = options.amount === 'all' ? 'all' : readGhs('--amount', options.amount)
  checkText('--id', options.id)
  const config = readConfig()
  const actor = operatorName()
  const result = await withDatabase(config, async (db) => {
    await needExternalId({ db, isLive: config.suppliers === 'live' }, options.id)
    const { accountId } = await readAccount(db, options.account)
    const given = options.id === undefined ? {} : { externalId: options.id }
    return moveCommission(db, { accountId, amount, actor, ...given })
  })
  if (result.state === 'refused') throw new CommandError(refusedText(result, options.id))
  const [moved, commission, main] = [pesewas(result.moved), pesewas(result.commission), pesewas(result.main)]
  printResult(
    { transferred: ghs(moved), commission: ghs(commission), balance: ghs(main), already_processed: result.state === 'replayed' },
    `${formatGhs(moved)} ${result.state === 'replayed' ? 'had been' : 'were'} moved. The Commission Wallet holds ${formatGhs(commission)}, the main wallet ${formatGhs(main)}.`,
  )
}

/** @throws for a product that earns no commission, because it has neither rates nor shares */
function checkProduct(product: string): void {
  const earning = products.filter(({ earnsCommission }) => earnsCommission).map(({ name }) => name)
  if (earning.includes(product)) return
  throw new UsageError(`--product must be one of ${earning.join(', ')}, not ${JSON.stringify(product)}.`)
}

export async function runCommissionRates(): Promise<void> {
  const { rates, shares } = await withDatabase(readConfig(), listCommissionTerms)
  const printed = {
    rates: rates.map(({ product, network, rateBasisPoints }) => ({
      product,
      network,
      percent: percentOfPoints(rateBasisPoints),
    })),
    shares: shares.map(({ product, role, shareBasisPoints }) => ({ product, role, percent: percentOfPoints(shareBasisPoints) })),
  }
  const text = [
    'Expected of suppliers, of the amount:',
    ...printed.rates.map(({ product, network, percent }) => `  ${product} ${network}: ${percent} %`),
    'Shares of resellers, of the commission:',
    ...printed.shares.map(({ product, role, percent }) => `  ${product} ${role}: ${percent} %`),
  ].join('\n')
  printResult(printed, text)
}

async function checkNetwork(tx: Tx, product: string, network: string): Promise<void> {
  const known = await tx.selectFrom('networks').select('name').where('product', '=', product).orderBy('position').execute()
  if (known.some(({ name }) => name === network)) return
  throw new CommandError(
    `There is no network ${JSON.stringify(network)} of ${product}; there is: ${known.map(({ name }) => name).join(', ')}.`,
  )
}

export async function runCommissionSetRate({ product, network, percent }: RateOptions): Promise<void> {
  checkProduct(product)
  const rateBasisPoints = readPercent('--percent', percent)
  const rate = { product, network, rateBasisPoints }
  await withDatabase(readConfig(), (db) =>
    changeCommissionRate(db, rate, { actor: operatorName() }, (tx) => checkNetwork(tx, product, network)),
  )
  printResult(
    { product, network, percent: percentOfPoints(rateBasisPoints) },
    `${product} ${network}: ${percentOfPoints(rateBasisPoints)} % from now on.`,
  )
}

export async function runCommissionSetShare({ product, role, percent }: ShareOptions): Promise<void> {
  checkProduct(product)
  const shareBasisPoints = readPercent('--percent', percent)
  const share = { product, role, shareBasisPoints }
  await withDatabase(readConfig(), (db) => changeCommissionShare(db, share, { actor: operatorName() }))
  printResult(
    { product, role, percent: percentOfPoints(shareBasisPoints) },
    `${product} ${role}: ${percentOfPoints(shareBasisPoints)} % from now on.`,
  )
}
