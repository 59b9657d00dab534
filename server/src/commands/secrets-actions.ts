import process from 'node:process'
import { allSealedColumns } from '../all-sealed-columns.ts'
import { readConfig } from '../config.ts'
import { encryptSecondFactorsAnew } from '../people/encrypt-second-factors-anew.ts'
import { rotateSecrets } from '../platform/secrets/rotate-secrets.ts'
import { CommandError } from './frame/command-error.ts'
import { operatorName } from './frame/operator-name.ts'
import { printResult } from './frame/print-result.ts'
import { openProgressLine } from './frame/progress-line.ts'
import { withDatabaseAndKeys } from './frame/with-database.ts'

export async function runSecretsRotate(): Promise<void> {
  const progress = openProgressLine(process.stderr, (count) => `${count} secrets sealed anew`)
  const { columns, left, keyId } = await withDatabaseAndKeys(readConfig(), async (db, keys) => {
    // This comes first, because the operator may delete the older keys after the rotation.
    await encryptSecondFactorsAnew(db, keys)
    const onProgress = (count: number) => progress.show(count)
    const rotated = await rotateSecrets(db, keys, allSealedColumns, { actor: operatorName(), onProgress })
    return { ...rotated, keyId: keys.current.id }
  }).finally(() => progress.close())
  const unreadable = columns.filter((column) => column.unreadable > 0)
  if (unreadable.length > 0) {
    const places = unreadable.map((column) => `${column.unreadable} in ${column.table}.${column.column}`)
    throw new CommandError(`None of the given keys opens some secrets: ${places.join(', ')}. They were left as they are.`)
  }
  const resealed = Object.fromEntries(columns.map((column) => [`${column.table}.${column.column}`, column.resealed]))
  const total = columns.reduce((sum, column) => sum + column.resealed, 0)
  const end =
    left === 0
      ? 'No secret needs an older key any more.'
      : `${left} were written with an older key meanwhile: restart the processes that still seal with it, and run this again.`
  printResult({ key_id: keyId, resealed, left }, `${total} secrets were sealed anew with the key ${keyId}. ${end}`)
}
