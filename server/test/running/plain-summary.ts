import process from 'node:process'
import type { Reporter, TestModule } from 'vitest/node'

/** Ends a run with one line that any script can read: `N passed, N failed, N skipped`. */
export default class PlainSummary implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const counts = { passed: 0, failed: errors.length, skipped: 0, pending: 0 }
    for (const module of modules) {
      const states = [...module.children.allTests()].map((test) => test.result().state)
      for (const state of states) counts[state] += 1
      // A file whose set-up failed has no failed test, so it is counted here.
      if (!module.ok() && !states.includes('failed')) counts.failed += 1
    }
    process.stdout.write(`\n${counts.passed} passed, ${counts.failed + counts.pending} failed, ${counts.skipped} skipped\n`)
  }
}
