import { join } from 'node:path'
import process from 'node:process'
import { defineConfig } from 'vitest/config'
import { buildPrograms } from './server/bin/build-programs.ts'
import { LongestFirst } from './server/test/longest-first.ts'
import { patienceSeconds } from './server/test/patience.ts'
import { chooseFolder, keptFolder } from './server/test/test-folders.ts'

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

// The tests start some hundred processes of ours.
await buildPrograms()

export default defineConfig({
  test: {
    include: ['server/**/*.test.ts', 'dashboard/**/*.test.{ts,tsx}', 'simulator/**/*.test.ts', 'proof/**/*.test.ts'],
    pool: 'forks',
    maxWorkers: filesAtOnce,
    fileParallelism: true,
    sequence: { sequencer: LongestFirst },
    // No file changes what another one imports, and loading it all anew costs more than many a file's tests.
    isolate: false,
    globalSetup: ['server/test/global-setup.ts'],
    // Some hundred processes are started on the way; each would compile the same code anew.
    env: { NODE_COMPILE_CACHE: join(keptFolder, 'makola-compile-cache') },
    reporters: ['default', './server/test/plain-summary.ts'],
    // Only what never ends is cut off: nothing here says how fast it must be.
    testTimeout: neverEndsMilliseconds,
    hookTimeout: neverEndsMilliseconds,
    expect: { poll: { timeout: patienceSeconds * 1_000 } },
  },
})
