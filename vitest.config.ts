import { join } from 'node:path'
import process from 'node:process'
import { configDefaults, defineConfig, type UserWorkspaceConfig } from 'vitest/config'
import { patienceSeconds } from './server/test/patience.ts'
import { listUnitTests } from './server/test/running/list-unit-tests.ts'
import { LongestFirst } from './server/test/running/longest-first.ts'
import { chooseFolder, keptFolder } from './server/test/running/test-folders.ts'

// Set for this process, whose children are the database server of the run and the processes of the tests.
process.env['TMPDIR'] = chooseFolder()

/**
 * Most files compute for less than half of their time: they wait for the database, for child processes and for what
 * suppliers do later. Five at once keep two cores busy from the beginning of a run to its end; with more, the proofs are
 * in each other's way.
 */
const filesAtOnce = 5

/** A test that takes a minute here takes ten on a machine that is ten times slower. What takes longer than this never ends. */
const neverEndsMilliseconds = 1_800_000

/** The tests that `npx vitest run --project <name>` runs alone. Each of their files can also be named as ever. */
const project = (name: string, test: NonNullable<UserWorkspaceConfig['test']>): UserWorkspaceConfig => ({
  test: {
    name,
    pool: 'forks',
    // No file changes what another one imports, and loading it all anew costs more than many a file's tests.
    isolate: false,
    // Some hundred processes are started on the way; each would compile the same code anew.
    env: { NODE_COMPILE_CACHE: join(keptFolder, 'makola-compile-cache') },
    // Only what never ends is cut off: nothing here says how fast it must be.
    testTimeout: neverEndsMilliseconds,
    hookTimeout: neverEndsMilliseconds,
    expect: { poll: { timeout: patienceSeconds * 1_000 } },
    ...test,
  },
})

const unitTests = listUnitTests()
const others = { exclude: [...configDefaults.exclude, ...unitTests], globalSetup: ['server/test/running/global-setup.ts'] }

export default defineConfig({
  test: {
    projects: [
      // Node imports the sources as the processes do. Most unit tests are over before vite has translated what they import.
      project('unit', { include: unitTests, experimental: { viteModuleRunner: false } }),
      project('database', { include: ['{server,simulator,sdk,conformance,release}/**/*.test.ts'], ...others }),
      project('browser', { include: ['dashboard/**/*.test.ts'], ...others }),
      project('proof', { include: ['proof/**/*.test.ts'], ...others }),
    ],
    maxWorkers: filesAtOnce,
    sequence: { sequencer: LongestFirst },
    reporters: ['default', './server/test/running/plain-summary.ts'],
  },
})
