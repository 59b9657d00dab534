import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { formatsInWords, patternsInWords } from './patterns-in-words.ts'

/** Every value of a key anywhere in a document. */
function valuesOf(key: string, document: unknown): unknown[] {
  if (typeof document !== 'object' || document === null) return []
  return Object.entries(document).flatMap(([name, value]) => [...(name === key ? [value] : []), ...valuesOf(key, value)])
}

it('every form of the API has its words, so that a refusal can say what it needs', async () => {
  const document: unknown = JSON.parse(await readFile(new URL('../../../../../contract/openapi.json', import.meta.url), 'utf8'))
  const patterns = valuesOf('pattern', document).filter((value) => typeof value === 'string')
  expect(patterns.length).toBeGreaterThan(5)
  expect(patterns.filter((pattern) => !Object.hasOwn(patternsInWords, pattern))).toEqual([])
  const formats = valuesOf('format', document).filter((value) => typeof value === 'string')
  expect(formats.filter((format) => !Object.hasOwn(formatsInWords, format))).toEqual([])
})
