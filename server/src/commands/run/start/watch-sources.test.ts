import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { programs, root } from '../../../../bin/find-program.js'
import { watchedFolders } from './watch-sources.ts'

test('the folders in which our programs begin are watched', () => {
  for (const path of Object.values(programs)) {
    const folder = join(root, dirname(path), '/')
    expect(watchedFolders.filter((watched) => folder.startsWith(watched))).toHaveLength(1)
  }
})
