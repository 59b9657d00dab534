import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { shutdownSeconds } from './shutdown-seconds.ts'

const { api, worker, rest, process, parent } = shutdownSeconds

const sum = (parts: Readonly<Record<string, number>>) => Object.values(parts).reduce((total, seconds) => total + seconds, 0)

it('the API ends by itself before its process is ended', () => {
  expect(sum(api) + rest).toBeLessThan(process)
})

it('the worker ends by itself before its process is ended', () => {
  expect(Math.max(sum(worker.orders), sum(worker.links), worker.timers) + rest).toBeLessThan(process)
})

it('a process ends itself before `makola start` kills it', () => {
  expect(process).toBeLessThan(parent)
})

it.each(['api', 'worker'])('a process ends itself before systemd kills it: makola-%s.service', (role) => {
  const path = new URL(`../../../operations/systemd/makola-${role}.service`, import.meta.url)
  const unit = readFileSync(path, 'utf8')
  expect(unit).toContain(`# Makola drains for at most ${process} s.`)
  expect(Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1])).toBeGreaterThan(process)
})
