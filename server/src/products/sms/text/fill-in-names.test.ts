import { expect, it } from 'vitest'
import { encodeText } from './encode-text.ts'
import { chooseNames } from './fill-in-names.ts'

const cleaned = (name: string) => {
  const source = { names: new Map([['233241234567', name]]), fallback: undefined }
  return chooseNames('Hi {name}', ['233241234567'], source).words[0]
}

it('a name is one line of what can be seen, and only its letters may make a text cost more', () => {
  expect(cleaned('Ama\r\n\u0000Boa\u2028 \t Doe\u0085')).toBe('Ama Boa Doe')
  // A turned reading order, a joiner, a soft hyphen, a byte order mark, half of a surrogate pair.
  expect(cleaned('\u202eA\u200dm\u00ada\ufeff \ud83d')).toBe('Ama')
  // Characters that phones insert by themselves, and an accent that is written as a letter and a mark.
  for (const name of ['N’Dri–Kofi', 'Ama ❤️ 👩🏾‍🍳', 'Rene\u0301', 'Ama\u00a0Boa']) {
    expect(encodeText(cleaned(name) ?? '', 'standard')).toMatchObject({ encoding: 'gsm7' })
  }
  expect(cleaned('N’Dri–Kofi')).toBe("N'Dri-Kofi")
  expect(cleaned('Akwɛ Ɔsɛe')).toBe('Akwɛ Ɔsɛe')
  for (const nothing of ['❤️', '\u200b', '\n', '{name}', '{\u200bname}']) expect(cleaned(nothing)).toBeUndefined()
})
