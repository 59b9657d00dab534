import { execFile } from 'node:child_process'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { findClusterPrograms, installLine } from './src/cluster/find-programs.ts'

const rehearsal = fileURLToPath(new URL('rehearse-cluster.ts', import.meta.url))
const programs = await findClusterPrograms()
if (!programs) process.stdout.write(`The cluster is not rehearsed here. It needs: ${installLine}\n`)

test.skipIf(!programs)('the lead passes from one database server to another: nothing that was acknowledged is lost', async () => {
  const words = [rehearsal, '--only', 'switch over', '--faults', '1', '--buyers', '4']
  const { stdout } = await promisify(execFile)(process.execPath, words)
  expect(stdout).toMatch(/switch over +\d+\.\d s without a sale/)
  expect(stdout).toMatch(/[1-9]\d* orders acknowledged .* 0 breaches/)
})
