import { describe } from 'vitest'
import { describeSingleCheck } from './verify-number.fixture.ts'

describe('POST /data/verify-number/server-2', () => {
  describeSingleCheck(2, [
    ['911', false],
    ['912', false],
    ['913', true],
    ['914', true],
    ['915', 502],
    ['916', 502],
    ['917', false],
  ])
})
