import { CsvError, parse } from 'csv-parse/sync'
import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { newId } from '../../platform/database/new-id.ts'
import { rowsOf } from '../../platform/database/rows-of.ts'
import { RefusalError, refusals } from '../../platform/http/refusals.ts'
import { withoutFormulaGuard, writeLongCsv } from '../../platform/write-csv.ts'
import { resellingRefusals } from '../reselling.refusals.ts'
import {
  type CustomerNote,
  customerNumbersMax,
  customersMax,
  listCustomers,
  lockCustomers,
  readCustomerNumber,
} from './customers.ts'

/** Writes all customers as CSV, in a form that `importCustomers` reads. */
export async function writeCustomersCsv(db: Db, accountId: string): Promise<string> {
  const customers = await listCustomers(db, accountId, { limit: customersMax })
  return writeLongCsv({
    columns: ['name', 'numbers', 'note', 'favourite'],
    rows: customers.map(({ name, numbers, note, isFavourite }) => ({
      name,
      numbers: numbers.join(' '),
      note,
      favourite: isFavourite ? 'yes' : '',
    })),
  })
}

type FileLine = { readonly line: number } & ({ readonly customer: CustomerNote } | { readonly given: string })

const nameLengthMax = 60
const noteLengthMax = 200
const shownMax = 40

const numberOf = (text: string): string | undefined => {
  try {
    // A spreadsheet drops the first zero.
    return readCustomerNumber(/^[235]\d{8}$/.test(text) ? `0${text}` : text)
  } catch {
    return undefined
  }
}

/** The numbers of a cell, which are separated by spaces, slashes or semicolons. Empty where one of them is no number. */
function numbersOf(cell: string): string[] {
  const whole = numberOf(cell)
  if (whole !== undefined) return [whole]
  const numbers = cell
    .split(/[\s/;]+/)
    .filter((part) => part !== '')
    .map(numberOf)
  return numbers.some((number) => number === undefined) ? [] : (numbers as string[])
}

/**
 * Reads a line: numbers in any cell, the first text as the name, a last `yes` as favourite, the other texts as the note. Where it
 * has more numbers than a customer may have, the others go to further customers with the same texts.
 */
function readLine(cells: readonly string[], line: number): FileLine[] {
  const texts = cells.map((cell) => withoutFormulaGuard(cell.trim())).filter((cell) => cell !== '')
  if (texts.length === 0) return []
  const numbers = texts.flatMap(numbersOf)
  const words = texts.filter((text) => numbersOf(text).length === 0)
  const isFavourite = words.length > 1 && words.at(-1)?.toLowerCase() === 'yes'
  const [name, ...notes] = isFavourite ? words.slice(0, -1) : words
  if (numbers.length === 0) return [{ line, given: texts.join(', ').slice(0, shownMax) }]
  const note = notes.join(', ').slice(0, noteLengthMax)
  const unique = [...new Set(numbers)]
  return Array.from({ length: Math.ceil(unique.length / customerNumbersMax) }, (_, index) => {
    const own = unique.slice(index * customerNumbersMax, (index + 1) * customerNumbersMax)
    return { line, customer: { name: (name ?? own[0] ?? '').slice(0, nameLengthMax), numbers: own, note, isFavourite } }
  })
}

function readCells(text: string, delimiter: string): string[][] {
  try {
    return parse(text, { delimiter, bom: true, relax_column_count: true, relax_quotes: true })
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    throw new RefusalError(refusals.invalidRequest(`The text cannot be read: ${error.message}.`))
  }
}

/**
 * Reads customers as spreadsheets and phones export them, or as people paste them. Skips a head: a first line without a digit.
 * @throws RefusalError 400 when the text is no CSV, such as with a quotation mark that never closes
 */
export function readCustomerLines(text: string): FileLine[] {
  const delimiter = [';', '\t', ','].find((each) => text.includes(each)) ?? ','
  const lines = readCells(text, delimiter)
  const head = lines.length > 1 && !/\d/.test(lines[0]?.join('') ?? '') ? 1 : 0
  return lines.slice(head).flatMap((cells, index) => readLine(cells, index + 1 + head))
}

/** The result of an import or of its dry run. */
type CustomerImport = {
  readonly added: number
  /** Lines whose numbers all belong to a customer already. */
  readonly known: number
  readonly wrong: readonly { readonly line: number; readonly given: string }[]
}

/**
 * Adds the customers of a text. A number that a customer has already stays with that customer. A dry run answers the same and
 * changes nothing.
 * @throws RefusalError when the account would have more than 5,000 customers
 */
export function importCustomers(
  db: Db,
  accountId: string,
  { text, isDryRun }: { readonly text: string; readonly isDryRun: boolean },
): Promise<CustomerImport> {
  const lines = readCustomerLines(text)
  return inTransaction(db, async (tx) => {
    const count = await lockCustomers(tx, accountId)
    const held = await tx.selectFrom('customer_numbers').select('number').where('account_id', '=', accountId).execute()
    const known = new Set(held.map(({ number }) => number))
    const given = lines.flatMap((line) => ('customer' in line ? line.customer : []))
    const added = given.flatMap((customer) => {
      const numbers = customer.numbers.filter((number) => !known.has(number))
      for (const number of numbers) known.add(number)
      return numbers.length === 0 ? [] : [{ ...customer, numbers, id: newId() }]
    })
    if (count + added.length > customersMax) throw new RefusalError(resellingRefusals.tooManyCustomers)
    if (!isDryRun && added.length > 0) {
      await sql`insert into customers ${rowsOf(added, {
        id: ['uuid', ({ id }) => id],
        account_id: ['uuid', () => accountId],
        name: ['text', ({ name }) => name],
        note: ['text', ({ note }) => note],
        is_favourite: ['boolean', ({ isFavourite }) => isFavourite],
      }).forInsert()}`.execute(tx)
      const numbers = added.flatMap(({ id, numbers: own }) => own.map((number, place) => ({ id, number, place })))
      await sql`insert into customer_numbers ${rowsOf(numbers, {
        account_id: ['uuid', () => accountId],
        number: ['text', ({ number }) => number],
        customer_id: ['uuid', ({ id }) => id],
        place: ['smallint', ({ place }) => place],
      }).forInsert()}`.execute(tx)
    }
    return {
      added: added.length,
      known: given.length - added.length,
      wrong: lines.flatMap((line) => ('given' in line ? line : [])),
    }
  })
}
