import { describeTopUp, PrintedTopUp } from '../../accounts/top-ups/top-ups.operations.ts'
import { readConfig } from '../../config.ts'
import { readSameTransfer, readTopUp, type TopUpRow } from '../../money/top-ups/read-top-up.ts'
import { readPicture } from '../../money/top-ups/store-picture.ts'
import type { Db } from '../../platform/database/database.ts'
import { isId } from '../../platform/database/read-id.ts'
import { toWire } from '../../platform/operations/wire.ts'
import { CommandError } from '../frame/command-error.ts'
import type { OutputFile } from '../frame/output-file.ts'
import { printResult } from '../frame/print-result.ts'
import { withDatabase } from '../frame/with-database.ts'
import { writePieces, writeWholeFile } from '../frame/write-whole-file.ts'

async function mustFindTopUp(db: Db, id: string): Promise<TopUpRow> {
  const row = isId(id) ? await readTopUp(db, id) : undefined
  if (!row) throw new CommandError(`There is no top-up ${JSON.stringify(id)}. \`makola top-up list\` shows them.`)
  return row
}

export async function runTopUpShow(id: string, { picture: file }: { readonly picture?: OutputFile }): Promise<void> {
  const { row, same, picture } = await withDatabase(readConfig(), async (db) => {
    const found = await mustFindTopUp(db, id)
    return { row: found, same: await readSameTransfer(db, found), picture: await readPicture(db, found.id) }
  })
  if (file !== undefined) {
    if (!picture) throw new CommandError('No picture came with this top-up.')
    await writeWholeFile(file, writePieces([picture.bytes]))
  }
  const view = toWire(PrintedTopUp, row) as Record<string, string | number | null>
  const lines = [
    describeTopUp(row),
    ...Object.entries(view).map(([name, value]) => `  ${name.padEnd(20)}${value === null ? '' : String(value)}`),
    `  picture             ${picture ? `${picture.media_type}, ${picture.bytes.length} bytes` : 'none'}`,
    ...same.map((other) => `  THE SAME TRANSFER   top-up ${other.id} of account ${other.account_id}, ${other.state}`),
  ]
  const document = { ...view, has_picture: picture !== undefined, same_transfer: same.map((other) => other.id) }
  printResult(document, lines.join('\n'))
}
