import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

/** Tests wait for the database and for child processes more than they compute, so a few more files than cores run at once. */
const filesAtOnce = 4

export default defineConfig({
  test: {
    include: ['server/**/*.test.ts', 'simulator/**/*.test.ts', 'proof/**/*.test.ts'],
    pool: 'forks',
    maxWorkers: filesAtOnce,
    fileParallelism: true,
    globalSetup: ['server/test/global-setup.ts'],
    // Some hundred processes are started on the way; each would compile the same files anew.
    env: { NODE_COMPILE_CACHE: join(tmpdir(), 'makola-compile-cache') },
    reporters: ['default', './server/test/plain-summary.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
})
