import type { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Statement, StatementEntry } from './statement.ts'
import { openSheet, page, type Sheet } from './statement-page.ts'
import { amountInColumn, amountInWords, entryWords, momentInAccra, purseWords } from './statement-words.ts'

export type StatementHeading = {
  readonly operatorName: string
  readonly accountName: string
  readonly accountEmail: string
  /** The newest head of the chain of transfers, in the form of `makola audit --chain --noted`; null while nothing is sealed. */
  readonly seal: string | null
  readonly createdAt: Date
}

const headHeight = 128
const lineHeight = 13
const tableHeadHeight = 18
const entryHeight = 22
const grey = '#666666'

/** The x of the columns: their left edge, or the right edge where they hold amounts. */
const column = { at: page.left, what: 130, amount: 405, before: 480, after: page.right } as const
const whatWidth = 215

/** The place of the next line. Counting and drawing use the same code, so that the numbers of pages agree. */
type Place = { page: number; y: number; take(height: number): number }

function createPlace(onPage: (pageNo: number) => number): Place {
  const place: Place = {
    page: 1,
    y: onPage(1),
    take(height) {
      if (place.y + height > page.bottom) {
        place.page += 1
        place.y = onPage(place.page)
      }
      const { y } = place
      place.y += height
      return y
    },
  }
  return place
}

/** The lines of the summary: opening, each kind, closing, and the months where there are several. */
function summaryOf(statement: Statement): readonly (readonly string[])[] {
  const { purse, opening, closing, byKind, byMonth } = statement
  const inWords = (amount: number) => amountInWords(purse, amount)
  const months = byMonth.map(({ month, count, in: came, out, closing: held }) => [
    month,
    `${count} entries`,
    `+${amountInColumn(purse, came)} / ${amountInColumn(purse, out)}`,
    inWords(held),
  ])
  return [
    ['Opening balance', '', '', inWords(opening)],
    ...byKind.map(({ kind, count, amount }) => [entryWords[kind], `${count}`, '', inWords(amount)]),
    ['Closing balance', '', '', inWords(closing)],
    ...(months.length > 1 ? [['', '', '', ''], ['Month', '', 'in / out', 'held at its end'], ...months] : []),
  ]
}

function countPages({ count }: Statement, summaryLines: number): number {
  const place = createPlace((pageNo) => (pageNo === 1 ? headHeight : page.top))
  for (let line = 0; line < summaryLines; line += 1) place.take(lineHeight)
  place.take(tableHeadHeight + lineHeight)
  let lastPage = place.page
  for (let entry = 0; entry < count; entry += 1) {
    place.take(entryHeight)
    // A new page repeats the table's head.
    if (place.page > lastPage) place.take(tableHeadHeight)
    lastPage = place.page
  }
  place.take(entryHeight)
  return place.page
}

function periodOf({ from, until }: Statement, createdAt: Date): string {
  const start = from ? momentInAccra(from) : 'the beginning'
  const end = momentInAccra(until ? new Date(until.getTime() - 1) : createdAt)
  return `${start} to ${end} (Accra)`
}

function drawHead(sheet: Sheet, statement: Statement, heading: StatementHeading): void {
  const { operatorName, accountName, accountEmail, createdAt } = heading
  sheet.write(operatorName, page.left, page.top, { size: 18, font: 'bold', width: 300 })
  sheet.write('Statement', page.right, page.top + 4, { size: 14, isRight: true, colour: grey })
  sheet.write(accountName, page.left, 74, { size: 11, font: 'bold', width: 300 })
  sheet.write(`${accountEmail} · ${statement.accountId}`, page.left, 90, { size: 8, colour: grey, width: 400 })
  sheet.write(purseWords[statement.purse], page.right, 74, { size: 11, font: 'bold', isRight: true })
  sheet.write(periodOf(statement, createdAt), page.left, 104, { size: 9, width: 400 })
  if (statement.part) {
    const { no, of } = statement.part
    sheet.write(`Part ${no} of ${of}`, page.right, 90, { size: 9, font: 'bold', isRight: true })
  }
  sheet.write(`made ${momentInAccra(createdAt)}`, page.right, 104, { size: 8, colour: grey, isRight: true })
  sheet.line(121)
}

function drawTableHead(sheet: Sheet, y: number): void {
  const style = { size: 8, font: 'bold' } as const
  sheet.write('Time', column.at, y, style)
  sheet.write('What', column.what, y, style)
  for (const [name, x] of [
    ['Amount', column.amount],
    ['Before', column.before],
    ['After', column.after],
  ] as const) {
    sheet.write(name, x, y, { ...style, isRight: true })
  }
  sheet.line(y + tableHeadHeight - 5)
}

function drawEntry(sheet: Sheet, { purse }: Statement, entry: StatementEntry, y: number): void {
  const { at, kind, amount, balanceBefore, balanceAfter, reference, note } = entry
  sheet.write(momentInAccra(at), column.at, y, { size: 8 })
  sheet.write(`${entryWords[kind]}  ${reference}`, column.what, y, { size: 8, width: whatWidth })
  if (note !== null) sheet.write(note, column.what, y + 10, { size: 7, colour: grey, width: whatWidth })
  sheet.write(amountInColumn(purse, amount), column.amount, y, { size: 8, isRight: true, font: 'bold' })
  sheet.write(amountInColumn(purse, balanceBefore), column.before, y, { size: 8, isRight: true, colour: grey })
  sheet.write(amountInColumn(purse, balanceAfter), column.after, y, { size: 8, isRight: true })
}

/**
 * Writes the seal into the foot of each page. With it, a reseller can later ask for proof that no earlier transfer was changed.
 */
function drawSeal(sheet: Sheet, { seal }: StatementHeading): void {
  if (seal === null) return
  const style = { size: 6, colour: grey } as const
  sheet.write(
    'Keep this seal: with it you can ask us to prove that no transfer before it was changed.',
    page.left,
    page.sealY,
    style,
  )
  sheet.write(seal, page.right, page.sealY, { ...style, isRight: true })
}

/** Waits until the drawn pages have been written, so that a long statement does not fill the memory. */
async function untilWritten({ document }: Sheet, out: Writable): Promise<void> {
  while (document.readableLength > 0 && out.writableNeedDrain) await new Promise((resolve) => out.once('drain', resolve))
}

async function draw(sheet: Sheet, statement: Statement, heading: StatementHeading, out: Writable): Promise<void> {
  const summary = summaryOf(statement)
  const pages = countPages(statement, summary.length)
  const place = createPlace((pageNo) => {
    sheet.document.addPage()
    const foot = { size: 8, colour: grey } as const
    sheet.write(`${heading.operatorName} · ${heading.accountName}`, page.left, page.footY, { ...foot, width: 400 })
    sheet.write(`Page ${pageNo} of ${pages}`, page.right, page.footY, { ...foot, isRight: true })
    drawSeal(sheet, heading)
    if (pageNo === 1) drawHead(sheet, statement, heading)
    return pageNo === 1 ? headHeight : page.top
  })
  for (const [name = '', count = '', middle = '', amount = ''] of summary) {
    const y = place.take(lineHeight)
    const font = name.endsWith('balance') || name === 'Month' ? 'bold' : 'regular'
    sheet.write(name, page.left, y, { size: 9, font })
    sheet.write(count, 260, y, { size: 9, isRight: true, colour: grey })
    sheet.write(middle, 420, y, { size: 9, isRight: true, colour: grey })
    sheet.write(amount, page.right, y, { size: 9, isRight: true, font })
  }
  drawTableHead(sheet, place.take(tableHeadHeight + lineHeight) + lineHeight)
  let lastPage = place.page
  for await (const entry of statement.entries()) {
    let y = place.take(entryHeight)
    if (place.page > lastPage) {
      drawTableHead(sheet, y)
      place.take(tableHeadHeight)
      y += tableHeadHeight
      await untilWritten(sheet, out)
    }
    lastPage = place.page
    drawEntry(sheet, statement, entry, y)
  }
  const y = place.take(entryHeight)
  sheet.write('Closing balance', column.what, y + 4, { size: 9, font: 'bold' })
  sheet.write(amountInWords(statement.purse, statement.closing), column.after, y + 4, { size: 9, font: 'bold', isRight: true })
}

/** Writes a statement as PDF, page by page: the letter-head, the totals, each entry with its balances, numbered pages. */
export async function writeStatementPdf(statement: Statement, heading: StatementHeading, out: Writable): Promise<void> {
  const { operatorName, accountName, createdAt } = heading
  const sheet = openSheet({ title: `Statement of ${accountName}`, author: operatorName, createdAt })
  const written = pipeline(sheet.document as unknown as NodeJS.ReadableStream, out)
  const drawn = draw(sheet, statement, heading, out).then(
    () => sheet.document.end(),
    (error: unknown) => {
      sheet.document.destroy(error as Error)
      throw error
    },
  )
  await Promise.all([drawn, written])
}
