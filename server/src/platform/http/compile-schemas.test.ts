import { expect, test } from 'vitest'
import { compileWhenUsed } from './compile-schemas.ts'

test('a schema is compiled when its function is first called, and once', () => {
  const compiled: string[] = []
  const compile = compileWhenUsed((name: string) => {
    compiled.push(name)
    return (value: number) => `${name} ${value}`
  })
  const [used] = [compile('used'), compile('unused')]
  expect(compiled).toEqual([])
  expect([used?.(1), used?.(2)]).toEqual(['used 1', 'used 2'])
  expect(compiled).toEqual(['used'])
})
