import { describe, expect, it } from 'vitest'
import { reportedName } from './reported-values.ts'

describe('a name that a supplier reports', () => {
  it.each<[string, string, string]>([
    ['as it is', 'AMA OWUSU', 'AMA OWUSU'],
    ['in any script', 'Akosua Ɔfɔriwaa 李', 'Akosua Ɔfɔriwaa 李'],
    ['with its marks', "O'BRIEN-MENSAH & SONS (LTD.)", "O'BRIEN-MENSAH & SONS (LTD.)"],
    ['without blanks around it or doubled within', ' AMA \u00a0  OWUSU\u3000', 'AMA OWUSU'],
    ['in one line', 'AMA\r\nOWUSU\tMENSAH\u2028X', 'AMA OWUSU MENSAH X'],
    ['without control characters', 'AMA\u0000\u001b[31m OWUSU\u0085', 'AMA [31m OWUSU'],
    ['without characters that turn or hide it', '\u202eAMA\u200b\u2066 OWUSU\ufeff\u3164', 'AMA OWUSU'],
    ['with halves of characters replaced', 'AMA\ud800', 'AMA\ufffd'],
    ['as text, whatever it looks like', "<script>'); drop table orders; --", "<script>'); drop table orders; --"],
  ])('is taken %s', (_how, told, taken) => {
    expect(reportedName(told)).toBe(taken)
  })

  it('is cut after 100 characters, and never within one', () => {
    expect(reportedName('A'.repeat(5_000))).toBe('A'.repeat(100))
    expect(reportedName('𝒜'.repeat(101))).toBe('𝒜'.repeat(100))
    expect(reportedName(`${'A'.repeat(99)} B`)).toBe('A'.repeat(99))
  })

  it.each([
    ['nothing', undefined],
    ['null', null],
    ['a number', 5],
    ['an object', { name: 'AMA' }],
    ['an empty text', ''],
    ['blanks', ' \t\u00a0'],
    ['control characters', '\u0000\u0007'],
    ['invisible letters', '\u3164\u115f'],
    ['a phone number', '233241234567'],
    ['a dash', ' - '],
  ])('is none when it is %s', (_what, told) => {
    expect(reportedName(told)).toBeUndefined()
  })
})
