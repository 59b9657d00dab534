import { setTimeout as sleep } from 'node:timers/promises'
import type { Fault } from '../faults/nemesis.ts'
import type { Installation } from '../installation.ts'
import type { Cluster, Machine } from './start-cluster.ts'

/** Longer than `ttl` of patroni.yml, so that another machine takes the lead meanwhile. */
const longFreezeSeconds = 32
const shortFreezeSeconds = 8
/** A killed machine comes back after this time, when the others have agreed on a new leader. */
const absenceSeconds = 25

type FindMachine = () => Promise<Machine | undefined>

/** The faults of the rehearsal. Each ends with everything started again. */
export function clusterFaults(cluster: Cluster, installation: Installation): Fault[] {
  const of = (name: string, find: FindMachine, strike: (machine: Machine) => Promise<void>): Fault => ({
    name,
    async strike() {
      const machine = await find()
      if (machine) await strike(machine)
      await cluster.heal()
    },
  })
  const leader = () => cluster.findLeader()
  const synchronous = () => cluster.findSynchronous()
  const freezeFor = (seconds: number) => async (machine: Machine) => {
    await machine.whole.freeze()
    await sleep(seconds * 1_000)
    await machine.whole.thaw()
  }
  const killFor = (part: 'patroni' | 'whole') => async (machine: Machine) => {
    await machine[part].kill()
    await sleep(absenceSeconds * 1_000)
  }
  return [
    of('kill the leader', leader, killFor('whole')),
    of('freeze the leader for longer than its lease', leader, freezeFor(longFreezeSeconds)),
    of('cut the leader off for longer than its lease', leader, async ({ cables }) => {
      for (const cable of cables) cable.blackHole()
      await sleep(longFreezeSeconds * 1_000)
    }),
    of('freeze the leader for a moment', leader, freezeFor(shortFreezeSeconds)),
    of('kill the synchronous machine', synchronous, killFor('whole')),
    of('kill the Patroni of the leader', leader, killFor('patroni')),
    of('freeze the Patroni of the leader', leader, async ({ patroni }) => {
      await patroni.freeze()
      await sleep(longFreezeSeconds * 1_000)
      await patroni.thaw()
    }),
    of('switch over', leader, () => cluster.switchOver()),
    {
      name: 'kill an etcd',
      async strike(random) {
        await random.pick(cluster.etcds).kill()
        await sleep(shortFreezeSeconds * 1_000)
        await cluster.heal()
      },
    },
    {
      name: 'kill an API and a worker',
      async strike(random) {
        const victims = [random.pick(installation.apis), random.pick(installation.workers)]
        await Promise.all(victims.map((victim) => victim.kill()))
        await Promise.all(victims.map((victim) => victim.start()))
      },
    },
  ]
}
