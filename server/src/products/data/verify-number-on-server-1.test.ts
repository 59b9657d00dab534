import { describe } from 'vitest'
import { describeSingleCheck } from './verify-number.fixture.ts'

describe('POST /data/verify-number/server-1', () => {
  describeSingleCheck(1, [
    ['911', false],
    ['912', true],
    ['913', false],
    ['914', 502],
    ['915', true],
    ['916', 502],
    ['917', false],
  ])
})
