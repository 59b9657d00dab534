import { execFile } from 'node:child_process'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const rehearsal = fileURLToPath(new URL('rehearse-upgrade.ts', import.meta.url))

test('an upgrade over migrations while it sells, and the way back, lose nothing and answer no 5xx but 503', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [rehearsal, '--calm', '1', '--buyers', '4', '--processes', '1'])
  expect(stdout).toMatch(/^makola migrate +\d+\.\d s without a sale, [1-9]/m)
  expect(stdout).toMatch(
    /^sell with the version before +\d+\.\d s without a sale, [1-9][\s\S]*^sell with the version before .* [1-9]\d* sales/m,
  )
  expect(stdout).toMatch(/[1-9]\d* orders acknowledged .* 0 breaches/)
})
