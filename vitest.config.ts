import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

/** Tests wait for the database and for child processes more than they compute, so a few more files than cores run at once. */
const filesAtOnce = 4

export default defineConfig({
  test: {
    include: ['server/**/*.test.ts', 'dashboard/**/*.test.{ts,tsx}', 'simulator/**/*.test.ts', 'proof/**/*.test.ts'],
    pool: 'forks',
    maxWorkers: filesAtOnce,
    fileParallelism: true,
    // No file changes what another one imports, and loading it all anew costs more than many a file's tests.
    isolate: false,
    globalSetup: ['server/test/global-setup.ts'],
    // Some hundred processes are started on the way; each would compile the same files anew.
    env: { NODE_COMPILE_CACHE: join(tmpdir(), 'makola-compile-cache') },
    reporters: ['default', './server/test/plain-summary.ts'],
    // Only what never ends is cut off: nothing here says how fast it must be.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 30_000 } },
  },
})
