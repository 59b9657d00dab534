import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { listLogFields } from './reading/log-fields.ts'
import { root } from './reading/read-sources.ts'

it('docs/operating/logs-and-traces.md lists every field of the log, and no other', () => {
  const page = readFileSync(join(root, 'docs/operating/logs-and-traces.md'), 'utf8')
  const [, table = ''] = page.split('| Field | What it is |')
  const rows = (table.split('\n## ')[0] ?? '').split('\n').filter((line) => line.startsWith('| `'))
  const listed = rows.flatMap((row) => [...(row.split(' | ')[0] ?? '').matchAll(/`(\w+)`/g)].map((match) => match[1] ?? ''))
  const written = listLogFields()
  // If the sources were read wrongly, nothing would be found.
  expect(written).toEqual(expect.arrayContaining(['err', 'requestId', 'outcome', 'startMilliseconds', 'holdReason']))
  expect(listed.toSorted()).toEqual(written)
})
