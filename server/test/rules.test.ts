import { join, relative, sep } from 'node:path'
import { describe, expect, it } from 'vitest'
import { adapterFolder, files, isTest, readSources, root, source } from './reading/read-sources.ts'

describe('the rules of CONTRIBUTING.md', () => {
  it('let only config.ts read the environment', () => {
    const readers = files
      .filter((file) => /process\.env|\benv\b.*from 'node:process'/.test(file.text))
      .map((file) => relative(source, file.path))
    // The samples in the documentation are the reader's programs, which read the key from the environment.
    expect(readers.filter((path) => path !== 'config.ts' && path !== 'docs/write-samples.ts')).toEqual([])
  })

  it('name files in kebab-case, with a role only where a noun is needed', () => {
    const pattern =
      /^[a-z0-9]+(-[a-z0-9]+)*(\.(admin|member|desk))?(\.(routes|schemas|operations|kind|sql|settings|refusals|tables|audit|product))?(\.(test|fixture))?\.ts$/
    const wrong = readSources(source)
      .map((file) => file.path.split(sep).at(-1) ?? '')
      .filter((name) => !pattern.test(name))
    expect(wrong).toEqual([])
  })

  it('keep names that say nothing out of the tree', () => {
    const wrong = files
      .map((file) => relative(source, file.path))
      .filter((path) => /(^|[/\\-])(service|manager|helper|util|utils|common|misc)s?\b/.test(path))
    expect(wrong).toEqual([])
  })

  it('hand rows to SQL by `rowsOf` alone, where no two columns can be swapped', () => {
    const byHand = files.filter((file) => /unnest\(\s*\$\{(?:(?!unnest)[^`])*?\}::\w+\[\],\s*\$\{/.test(file.text))
    expect(byHand.map((file) => relative(source, file.path))).toEqual([])
  })

  it('name the fields that are taken from a request: it may have any others, also such as only we may set', () => {
    const spread = files
      .filter(({ path, text }) => path.endsWith('.routes.ts') && /\.\.\.(body|request\.(body|query))\b/.test(text))
      .map((file) => relative(source, file.path))
    expect(spread).toEqual([])
  })

  it('let a refusal speak of its own try alone: an earlier one with the same reference may have charged', () => {
    const texts = [...files, ...readSources(join(root, 'dashboard', 'src'))].filter((file) => !isTest(file))
    const wrong = texts.filter(({ text }) => /['"`][^'"`\n]*nothing was (sent or )?charged/i.test(text))
    expect(wrong.map(({ path }) => relative(root, path))).toEqual([])
  })

  it('keep files under 300 lines', () => {
    const long = readSources(source)
      .filter((file) => !file.path.endsWith('.test.ts') && file.text.split('\n').length > 300)
      .map((file) => relative(source, file.path))
    expect(long).toEqual([])
  })

  it('keep every file in use: something imports it, or it is a place where a program begins', () => {
    const all = ['server', 'simulator', 'proof', 'bench', 'sdk', 'conformance'].flatMap((part) => readSources(join(root, part)))
    const imported = new Set(all.flatMap((file) => file.imports))
    const unused = all
      .filter(({ path }) => !imported.has(path) && !path.endsWith('.test.ts'))
      // Tables are declared to the whole program, so no file imports them.
      .filter(({ path }) => !path.endsWith('.tables.ts'))
      // The suite over all adapters finds these by the adapters' names.
      .filter(({ path }) => !(adapterFolder.test(path) && path.endsWith('conforming.fixture.ts')))
      .map(({ path }) => relative(root, path))
    expect(unused.toSorted()).toEqual(beginnings.toSorted())
  })

  it('call two things by one name nowhere', () => {
    const places = new Map<string, string[]>()
    for (const { path, text } of files.filter((file) => !adapterFolder.test(file.path))) {
      for (const name of exportsOf(text)) places.set(name, [...(places.get(name) ?? []), relative(source, path)])
    }
    expect([...places].filter(([, paths]) => paths.length > 1)).toEqual([])
  })

  it('keep folders to what one look takes in', () => {
    const all = ['server', 'proof', 'simulator', 'bench', 'sdk', 'conformance'].flatMap((part) => readSources(join(root, part)))
    const counts = Map.groupBy(
      all.filter(({ path }) => !/\.(test|fixture)\.ts$/.test(path)),
      ({ path }) => relative(root, join(path, '..')),
    )
    const full = [...counts].filter(([folder, inside]) => inside.length > (largeFolders[folder] ?? 25))
    expect(full.map(([folder, inside]) => `${folder}: ${inside.length} files`)).toEqual([])
  })
})

/** Files where a program begins, or that another program reads. */
const beginnings = [
  'bench/src/bench-server.ts',
  'bench/src/bench.ts',
  'conformance/src/conformance.ts',
  'proof/rehearse-cluster.ts',
  'proof/rehearse-restore.ts',
  'proof/rehearse-upgrade.ts',
  'proof/run.ts',
  'proof/src/faults/lend-clock.ts',
  'proof/src/faults/shift-clock.ts',
  'server/bin/build-unless-built.ts',
  'server/src/cli.ts',
  'server/src/demo/year/run-demo-year.ts',
  'server/src/long-work.fixture.ts',
  'server/src/archive/archive-process.fixture.ts',
  'server/src/suppliers/calling/call-supplier.fixture.ts',
  'server/src/products/sms/text/write-receipt-model.ts',
  'server/src/write-openapi.ts',
  'server/test/running/global-setup.ts',
  'server/test/running/hold-embedded-postgres.ts',
  'server/test/running/list-unit-tests.ts',
  'server/test/running/longest-first.ts',
  'server/test/running/plain-summary.ts',
  'server/test/running/postgres15.ts',
  'server/test/running/run-database-server.ts',
  'server/test/write-schema.ts',
  'simulator/src/simulator.ts',
  'sdk/test/prove-client.ts',
  'sdk/typescript/test/drive-client.ts',
]

/** Folders that may hold more than 25 files, with the reason. */
const largeFolders: Readonly<Record<string, number>> = {
  // Two files for each word that an operator types, in the order of the alphabet.
  'server/src/commands': 60,
}

/** What a file exports by its own name. */
function exportsOf(text: string): string[] {
  const pattern = /^export (?:declare )?(?:abstract )?(?:async )?(?:function\*?|const|let|class|type|interface|enum) (\w+)/gm
  return [...new Set([...text.matchAll(pattern)].map((match) => match[1] ?? ''))]
}
