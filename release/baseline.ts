import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The file with the hash, within the repository. */
export const baselineRecord = 'release/baseline.sha256'

const record = (root: string) => join(root, baselineRecord)

/** The hash of `server/schema`, which every installation has run as its first migration. */
export function hashBaseline(root: string): string {
  const folder = join(root, 'server', 'schema')
  const order = readFileSync(join(folder, 'order.txt'), 'utf8')
  const hash = createHash('sha256')
  for (const file of order.split('\n').filter((line) => line.endsWith('.sql'))) hash.update(readFileSync(join(folder, file)))
  return hash.digest('hex')
}

/** Notes the baseline of the first release. Later ones leave the note as it is. */
export function noteBaseline(root: string): void {
  if (!existsSync(record(root))) writeFileSync(record(root), `${hashBaseline(root)}\n`)
}

/** True when the baseline is still that of the first release, or nothing was released yet. */
export function isBaselineKept(root: string): boolean {
  return !existsSync(record(root)) || readFileSync(record(root), 'utf8').trim() === hashBaseline(root)
}
