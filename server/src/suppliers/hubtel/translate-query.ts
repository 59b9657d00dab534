import { type Pesewas, pesewas } from '../../money/pesewas.ts'
import type { SupplierReply } from '../calling/call-supplier.ts'
import { evidenceFrom } from '../calling/evidence.ts'
import { numberField, textField } from '../calling/read-json.ts'
import { reportedName, reportedPesewas } from '../calling/reported-values.ts'
import type { BillLookup, BillMeter, SupplierAnswer } from '../ports.ts'
import { isPlainAccount } from './payment-body.ts'
import { readHubtelAnswer, withPlainNames } from './read-answer.ts'
import type { HubtelVocabulary } from './settings.ts'
import { translatePayment } from './translate.ts'

export type QueryRow = {
  readonly display: string
  readonly value: string
  /** The amount in GHS, as the biller wrote it. Below 0: the customer has credit. */
  readonly amountGhs: number | undefined
}

export type QueryResult =
  | { readonly meaning: 'rows'; readonly rows: readonly QueryRow[] }
  | { readonly meaning: 'not_found'; readonly evidence: string }
  | { readonly meaning: 'unavailable'; readonly evidence: string }

/** Words by which a biller says that it does not know the account. Any other failure concerns only the query. */
const notFoundWords =
  /not found|no (such )?(record|account|meter|customer|smart ?card)|does not exist|doesn't exist|invalid (account|meter|smart ?card|destination|customer|number)/i

/** `Display` is compared without case and blanks: " Amount Due" becomes `amountdue`. */
export function plainWord(text: string): string {
  return text.toLowerCase().replaceAll(/\s+/g, '')
}

/** A text field; a number becomes its text. */
function wordField(row: ReturnType<typeof withPlainNames>, name: string): string {
  const number = row?.[name]
  return typeof number === 'number' && Number.isFinite(number) ? String(number) : (textField(row, name) ?? '')
}

function readRow(value: unknown): QueryRow | undefined {
  const row = withPlainNames(value)
  if (row === undefined) return undefined
  return { display: wordField(row, 'display'), value: wordField(row, 'value'), amountGhs: numberField(row, 'amount') }
}

/** Reads a query's rows. An empty list means `not_found`. */
export function translateQuery(reply: SupplierReply, vocabulary: HubtelVocabulary): QueryResult {
  const evidence = evidenceFrom(reply)
  if (reply.kind !== 'answered' || reply.status >= 500) return { meaning: 'unavailable', evidence }
  const answer = readHubtelAnswer(reply.body, vocabulary)
  if (answer === undefined) return { meaning: 'unavailable', evidence }
  if (answer.meaning === 'delivered' && reply.status === 200) {
    if (!Array.isArray(answer.rawData)) return { meaning: 'unavailable', evidence }
    const rows = answer.rawData.flatMap((row) => readRow(row) ?? [])
    return rows.length === 0 ? { meaning: 'not_found', evidence } : { meaning: 'rows', rows }
  }
  const isSaidOfAccount = answer.meaning === 'failed_if_final' || answer.meaning === 'refused'
  return { meaning: isSaidOfAccount && notFoundWords.test(answer.text) ? 'not_found' : 'unavailable', evidence }
}

/** An amount of a biller, cut to the pesewa towards zero. Negative: a credit. */
function signedPesewas(ghs: number | undefined): Pesewas | null {
  if (ghs === undefined) return null
  const amount = reportedPesewas(Math.abs(ghs))
  if (amount === undefined) return null
  return ghs < 0 && amount > 0 ? pesewas(0 - amount) : amount
}

function factOf(rows: readonly QueryRow[], ...words: string[]): QueryRow | undefined {
  return rows.find((row) => words.includes(plainWord(row.display)))
}

/** The row's account number, if we can show it and pay to it. */
function accountOf(row: QueryRow | undefined): string | null {
  return row !== undefined && isPlainAccount(row.value) ? row.value : null
}

function holderOf(rows: readonly QueryRow[]): QueryRow | undefined {
  return factOf(rows, 'name', 'accountname', 'customername')
}

/** The amount of a row, which is in `Value` or in `Amount`, as a number or as text. */
function amountOf(row: QueryRow | undefined): Pesewas | null {
  if (row === undefined) return null
  return signedPesewas(numberField({ value: row.value.replaceAll(/[,\s]|GHS/gi, '') }, 'value') ?? row.amountGhs)
}

/** ECG answers one row per meter of a phone: `Display` is " NAME (meter)", `Value` the meter with stray blanks. */
function readMeter(row: QueryRow): BillMeter | undefined {
  const meterNumber = row.value.replaceAll(/\s+/g, '')
  if (!isPlainAccount(meterNumber)) return undefined
  const name = reportedName(row.display.replace(/\s*\([^()]*\)\s*$/, '')) ?? ''
  return { name, meterNumber, outstandingPesewas: signedPesewas(row.amountGhs) ?? pesewas(0) }
}

/** Reads a query as a look-up of a biller's account. */
export function readBillLookup(biller: string, result: QueryResult): BillLookup {
  if (result.meaning !== 'rows') return result.meaning === 'not_found' ? { meaning: 'not_found' } : result
  const { rows } = result
  const empty = { accountName: null, accountNumber: null, amountDuePesewas: null, bouquet: null, meters: [] }
  if (biller === 'ecg') {
    const meters = rows.flatMap((row) => readMeter(row) ?? [])
    return meters.length === 0 ? { meaning: 'not_found' } : { meaning: 'found', ...empty, meters }
  }
  const accountName = readAccountName(rows) ?? null
  const due = factOf(rows, 'amountdue')
  // Rows without any known fact are an answer that we do not understand.
  if (accountName === null && due === undefined) return { meaning: 'unavailable', evidence: 'rows without name and amountDue' }
  return {
    meaning: 'found',
    ...empty,
    accountName,
    accountNumber: accountOf(factOf(rows, 'account', 'accountnumber', 'meter', 'smartcard')),
    amountDuePesewas: amountOf(due),
    bouquet: reportedName(factOf(rows, 'bouquet')?.value) ?? null,
  }
}

export function readAccountName(rows: readonly QueryRow[]): string | undefined {
  return reportedName(holderOf(rows)?.value)
}

/** The session of a Ghana Water query, valid for one payment. */
export function readSessionId(rows: readonly QueryRow[]): string | undefined {
  const session = factOf(rows, 'sessionid')?.value
  return session !== undefined && /^[\x21-\x7e]{1,200}$/.test(session) ? session : undefined
}

/** Finds a bundle and its price by its `Value`, or by its `Display` without case and blanks. */
export function findBundle(rows: readonly QueryRow[], packageCode: string): { value: string; pricePesewas: Pesewas } | undefined {
  const wanted = plainWord(packageCode)
  const row = rows.find((each) => each.value === packageCode) ?? rows.find((each) => plainWord(each.display) === wanted)
  const pricePesewas = reportedPesewas(row?.amountGhs)
  return row === undefined || pricePesewas === undefined || pricePesewas === 0 ? undefined : { value: row.value, pricePesewas }
}

/**
 * The answer to a payment that was not sent, because its query failed. A refusal of our account, a throttle and `not_sent` keep
 * their meaning. After any other failure that Hubtel reports in its own words, Hubtel counts as reachable, so other orders are
 * not delayed.
 */
export function readFailedQuery(reply: SupplierReply, vocabulary: HubtelVocabulary): SupplierAnswer {
  const answer = translatePayment(reply, '', vocabulary)
  const isAboutUs = answer.meaning === 'rejected_platform' || answer.meaning === 'throttled' || answer.meaning === 'not_sent'
  if (isAboutUs) return answer
  const hasSpoken = reply.kind === 'answered' && readHubtelAnswer(reply.body, vocabulary)?.meaning !== undefined
  const evidence = `the query before the payment failed: ${answer.evidence}`
  return { meaning: 'unreachable', evidence, ...(hasSpoken ? { hasSpoken: true } : {}) }
}
