import { expect, it } from 'vitest'
import { showSize } from './texts-for-people.ts'

it('a size has at most three digits before its unit, until megabytes end', () => {
  const sizes = [0, 1, 41_000, 998_001, 999_000, 999_001, 1_000_000, 5_040_000].map(showSize)
  expect(sizes).toEqual(['0 kB', '1 kB', '41 kB', '999 kB', '999 kB', '1.0 MB', '1.0 MB', '5.0 MB'])
})
