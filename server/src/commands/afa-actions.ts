import { readConfig } from '../config.ts'
import { exportRegistrations } from '../products/afa/export-registrations.ts'
import { listRegistrations } from '../products/afa/list-registrations.ts'
import { logIdentityAccess, type statusChoices, statusesOf } from '../products/afa/show-registrations.ts'
import { operatorName } from './frame/operator-name.ts'
import type { OutputFile } from './frame/output-file.ts'
import { printResult } from './frame/print-result.ts'
import { readText } from './frame/read-options.ts'
import { withDatabaseAndKeys } from './frame/with-database.ts'
import { writePieces, writeWholeFile } from './frame/write-whole-file.ts'

export type AfaExportOptions = { status: (typeof statusChoices)[number]; reason: string }

export async function runAfaExport(file: OutputFile, options: AfaExportOptions): Promise<void> {
  const reason = readText('--reason', options.reason)
  const registrations = await withDatabaseAndKeys(readConfig(), async (db, keys) => {
    const found = await listRegistrations(db, keys, { statuses: statusesOf(options.status), limit: Number.MAX_SAFE_INTEGER })
    await logIdentityAccess(db, { actor: operatorName(), action: 'afa export', reason }, found)
    return found
  })
  await writeWholeFile(file, writePieces([await exportRegistrations(registrations)]))
  const unreadable = registrations.filter(({ isUnreadable }) => isUnreadable).map(({ reference }) => reference)
  const gap = unreadable.length === 0 ? '' : ` The identity data of ${unreadable.join(', ')} cannot be read and is missing there.`
  printResult(
    { exported: registrations.length, ...(unreadable.length === 0 ? {} : { unreadable }) },
    `${registrations.length} registrations were written to ${file.path}. Delete it when done.${gap}`,
  )
}
