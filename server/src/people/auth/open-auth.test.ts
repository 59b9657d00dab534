import { execFile } from 'node:child_process'
import { join } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { source } from '../../../test/reading/read-sources.ts'

/** Loads files in a new process. @returns the loaded modules whose names begin with a text */
async function packagesLoadedBy(files: readonly string[], name: string): Promise<string[]> {
  const script = `
    import { registerHooks } from 'node:module'
    const loaded = []
    registerHooks({ resolve: (specifier, context, next) => {
      if (specifier.startsWith(${JSON.stringify(name)})) loaded.push(specifier)
      return next(specifier, context)
    } })
    for (const file of ${JSON.stringify(files)}) await import(file)
    process.stdout.write(JSON.stringify(loaded))`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script])
  return JSON.parse(stdout) as string[]
}

it('no process loads the library before a person needs it', async () => {
  const processes = ['api.ts', 'worker.ts', 'demo/seed-demo.ts', 'demo/fill-demo.ts'].map((file) => join(source, file))
  expect(await packagesLoadedBy(processes, 'better-auth')).toEqual([])
  expect(await packagesLoadedBy([join(source, 'people/auth/create-auth.ts')], 'better-auth')).toContain('better-auth')
})
