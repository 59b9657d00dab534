import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { programs, root } from '../../../../bin/find-program.js'
import { watchedFolders } from './watch-sources.ts'

test('the folders in which our programs begin are watched', () => {
  const roots = Object.values(programs).map((path) => join(root, dirname(path), '/'))
  expect(watchedFolders).toEqual(roots)
})
