/**
 * `npm run prove:client -- --seeds 10000`: places so many orders (1,000 if not given) through a proxy that cuts, delays and
 * doubles requests, and expects one order and one debit each. The tests do the same with 60.
 */
import { spawnSync } from 'node:child_process'
import process from 'node:process'
import { parseArgs } from 'node:util'

const { seeds } = parseArgs({ options: { seeds: { type: 'string', default: '1000' } } }).values
const words = ['vitest', 'run', 'sdk/test/clients.test.ts', '--testNamePattern', 'whatever the connection does']
const { status } = spawnSync('npx', words, { stdio: 'inherit', env: { ...process.env, MAKOLA_SEEDS: seeds } })
process.exit(status ?? 1)
