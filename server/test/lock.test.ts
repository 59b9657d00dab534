import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from './reading/read-sources.ts'

type Entry = { readonly resolved?: string; readonly integrity?: string; readonly link?: boolean }

const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as { packages: Record<string, Entry> }
const entries = Object.entries(lock.packages).filter(([place, { link }]) => place.includes('node_modules/') && link !== true)

test('every package of the lock is pinned by its hash, but Node for macOS, which the registry does not have', () => {
  const unpinned = entries.filter(([, { integrity }]) => integrity === undefined).map(([place]) => place)
  expect(unpinned.filter((place) => !/^node_modules\/node-(?:bin-)?darwin-/.test(place))).toEqual([])
})

test('no package of the lock has the address of a registry', () => {
  expect(entries.filter(([, { resolved }]) => resolved !== undefined).map(([place]) => place)).toEqual([])
})
