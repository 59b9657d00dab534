import { join, relative } from 'node:path'
import { expect, it } from 'vitest'
import { files, source } from '../../../test/reading/read-sources.ts'

it('the packages of traces are loaded by one file, which is loaded by import() alone', () => {
  const short = (path: string) => relative(source, path)
  const using = files.filter(({ text }) => text.includes("'@opentelemetry/")).map(({ path }) => short(path))
  expect(using).toEqual(['platform/tracing/open-tracing.ts'])
  const opener = join(source, 'platform/tracing/open-tracing.ts')
  expect(files.filter(({ loads }) => loads.includes(opener)).map(({ path }) => short(path))).toEqual([])
  expect(files.filter(({ imports }) => imports.includes(opener)).map(({ path }) => short(path))).toEqual([
    'commands/run/run-role.ts',
  ])
})
