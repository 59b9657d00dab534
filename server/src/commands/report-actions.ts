import { readConfig } from '../config.ts'
import { formatAmount } from '../money/amount.ts'
import { formatGhs, type Pesewas } from '../money/pesewas.ts'
import { layOutTable } from '../platform/texts-for-people.ts'
import { listVoucherPace } from '../products/results-checker/list-voucher-pace.ts'
import { describeCounted, notCountedYet } from '../reports/counted-days.ts'
import { momentOfBalances, readBalances } from '../reports/read-balances.ts'
import { type FloatReport, readFloat } from '../reports/read-float.ts'
import { readTaxes, type TaxReport } from '../reports/read-taxes.ts'
import {
  balanceTable,
  floatTable,
  oneDecimal,
  owedIn,
  taxTable,
  viewBalances,
  viewFloats,
  viewTaxes,
} from '../reports/view/view-money.ts'
import { UsageError } from './frame/command-error.ts'
import type { OutputFile } from './frame/output-file.ts'
import { printResult } from './frame/print-result.ts'
import { readMoment, readUntil } from './frame/read-options.ts'
import { withDatabase } from './frame/with-database.ts'
import { writeReportFile } from './frame/write-whole-file.ts'
import { describeUnknownCost, readDays, sinceCounted } from './report-sales-actions.ts'

export type ReportStockOptions = { csv?: OutputFile }
export type ReportBalancesOptions = { at?: string; csv?: OutputFile }
export type ReportTaxOptions = { from?: string; to?: string; csv?: OutputFile }

const daysText = (days: number | null) => oneDecimal(days)?.toFixed(1) ?? ''

/** @param amount null where its days are not counted yet */
const showGhs = (amount: Pesewas | null) => (amount === null ? notCountedYet : formatGhs(amount))

const paceOf: Readonly<Record<FloatReport['coverage'], string>> = {
  all: 'The days left are at the pace of the last 7 days.',
  part: 'The days left are at the pace of those of the last 7 days that are counted.',
  none: 'The days left are not known before the last 7 days are counted.',
}

export async function runReportFloat({ csv }: ReportStockOptions): Promise<void> {
  const report = await withDatabase(readConfig(), readFloat)
  const { floats, coverage } = report
  const written = await writeReportFile(csv, floatTable(report))
  const table = layOutTable([
    ['supplier', 'float', 'read at', 'cost per day', 'days left'],
    ...floats.map((float) => [
      `${float.supplier}${float.isEnabled ? '' : ' (disabled)'}`,
      float.floatPesewas === null ? 'not known' : formatGhs(float.floatPesewas),
      float.readAt?.toISOString() ?? '',
      showGhs(float.perDayPesewas),
      daysText(float.daysLeft),
    ]),
  ])
  const counted = coverage === 'all' ? '' : `\n${describeCounted(report)}`
  printResult(viewFloats(report), `${table}\n${paceOf[coverage]}${counted}${written}`)
}

export async function runReportBalances({ at, csv }: ReportBalancesOptions): Promise<void> {
  const before = at === undefined ? undefined : readUntil('--at', at)
  const asked = new Date()
  if (at !== undefined && readMoment('--at', at) > asked) throw new UsageError('--at must not be in the future.')
  const balances = await withDatabase(readConfig(), (db) => readBalances(db, before))
  const { rows, total } = viewBalances(balances)
  const written = await writeReportFile(csv, balanceTable(balances))
  const table = layOutTable([['purse', 'balance'], ...balances.map(({ purse, balance }) => [purse, formatAmount(balance)])])
  const moment = momentOfBalances(before, asked)
  printResult(
    { at: moment.toISOString(), rows, total },
    `Owed to resellers at ${moment.toISOString()}\n${table}\nIn money: ${formatGhs(owedIn(balances))}${written}`,
  )
}

export async function runReportVouchers({ csv }: ReportStockOptions): Promise<void> {
  const types = await withDatabase(readConfig(), (db) => listVoucherPace(db))
  const rows = types.map((type) => ({
    key: type.name,
    on_sale: type.isActive,
    left: type.left,
    sold_in_7_days: type.soldInSevenDays,
    days_left: oneDecimal(type.daysLeft),
  }))
  const total = { left: types.reduce((sum, { left }) => sum + left, 0) }
  const written = await writeReportFile(csv, {
    columns: ['type', 'on_sale', 'left', 'sold_in_7_days', 'days_left'],
    rows: rows.map(({ key: type, ...row }) => ({ type, ...row })),
  })
  const table = layOutTable([
    ['type', 'left', 'sold in 7 days', 'days left'],
    ...types.map((type) => [
      `${type.name}${type.isActive ? '' : ' (not on sale)'}`,
      String(type.left),
      String(type.soldInSevenDays),
      daysText(type.daysLeft),
    ]),
  ])
  printResult(
    { rows, total },
    types.length === 0 ? 'There is no voucher type yet. See `makola voucher-type set`.' : `${table}${written}`,
  )
}

const atMost = (isAtMost: boolean) => (isAtMost ? '≤ ' : '')

function describeTaxes({ taxes, totalPesewas, sales }: TaxReport): string {
  if (taxes.length === 0) return 'No rate is set, and none is guessed. See `makola setting get report_tax_rates`.'
  const lines = taxes.map(({ rate, basePesewas, taxPesewas, isAtMost }) => [
    rate.name,
    `${rate.percent} %`,
    `${rate.is_included === true ? 'in' : 'on'} ${rate.on.replaceAll('_', ' ')}`,
    `${atMost(isAtMost)}${showGhs(basePesewas)}`,
    `${atMost(isAtMost)}${showGhs(taxPesewas)}`,
  ])
  const isAtMostInAll = taxes.some(({ isAtMost }) => isAtMost)
  const total = [sinceCounted('total', sales.total, sales), '', '', '', `${atMost(isAtMostInAll)}${showGhs(totalPesewas)}`]
  const table = layOutTable([['rate', '', 'of', 'base', 'tax'], ...lines, total])
  const unknown = isAtMostInAll && sales.total ? `\n${describeUnknownCost(sales.total)}` : ''
  return `From ${sales.period.from} to ${sales.period.to}\n${table}${unknown}\n${describeCounted(sales)}`
}

export async function runReportTax(options: ReportTaxOptions): Promise<void> {
  const period = readDays(options)
  const report = await withDatabase(readConfig(), (db) => readTaxes(db, period))
  const view = viewTaxes(report)
  const written = await writeReportFile(options.csv, taxTable(report))
  printResult(view, `${describeTaxes(report)}${written}`)
}
