import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from './reading/read-sources.ts'

type Entry = { readonly integrity?: string; readonly link?: boolean; readonly optional?: boolean; readonly dev?: boolean }

test('every package of the lock is pinned by its hash, but development tools for platforms that the registry does not have', () => {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as { packages: Record<string, Entry> }
  const entries = Object.entries(lock.packages).filter(([place, { link }]) => place.includes('node_modules/') && link !== true)
  const unpinned = entries.filter(([, { integrity }]) => integrity === undefined)
  expect(unpinned.filter(([, { optional, dev }]) => optional !== true || dev !== true)).toEqual([])
  for (const [place] of unpinned) expect(place).toMatch(/^node_modules\/@(?:biomejs|oxlint|oxlint-tsgolint)\//)
})
