import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { childrenOf, isAlive, signal } from '../processes.ts'
import type { ClusterPrograms } from './find-programs.ts'

/** A program of the cluster that can be killed, frozen and started again. */
export type Member = {
  readonly name: string
  start(): void
  kill(): Promise<void>
  freeze(): Promise<void>
  thaw(): Promise<void>
}

export type MemberDescription = {
  readonly name: string
  readonly file: string
  readonly words: readonly string[]
  /** Working folder, which also holds its log. */
  readonly folder: string
  readonly user: ClusterPrograms['user']
}

/** Describes a program; only `start` runs it. */
export function describeMember({ name, file, words, folder, user }: MemberDescription): Member {
  let child: ChildProcess | undefined
  const running = () => (child && child.exitCode === null && child.signalCode === null ? child : undefined)
  return {
    name,
    start() {
      if (running()) return
      const log = openSync(join(folder, `${name}.log`), 'a')
      const env = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C.UTF-8', HOME: folder, PYTHONUNBUFFERED: '1' }
      child = spawn(file, words, { cwd: folder, env, stdio: ['ignore', log, log], ...user })
      closeSync(log)
    },
    async kill() {
      const ending = running()
      if (!ending) return
      const ended = once(ending, 'exit')
      ending.kill('SIGKILL')
      await ended
    },
    async freeze() {
      running()?.kill('SIGSTOP')
    },
    async thaw() {
      running()?.kill('SIGCONT')
    },
  }
}

/** A program together with processes that it has started and that would outlive it. */
export function withServer(member: Member, listProcesses: () => Promise<readonly number[]>): Member {
  let frozen: readonly number[] = []
  return {
    ...member,
    async kill() {
      // Stopped first, so that it starts no new server.
      await member.freeze()
      for (const pid of await listProcesses()) signal(pid, 'SIGKILL')
      await member.kill()
    },
    async freeze() {
      await member.freeze()
      frozen = await listProcesses()
      for (const pid of frozen) signal(pid, 'SIGSTOP')
    },
    async thaw() {
      for (const pid of frozen.toReversed()) signal(pid, 'SIGCONT')
      frozen = []
      await member.thaw()
    },
  }
}

/** The processes of the PostgreSQL server of a data folder. */
export async function listServerProcesses(dataFolder: string): Promise<number[]> {
  const [line] = (await readFile(join(dataFolder, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n')
  const pid = Number(line)
  return pid > 0 && (await isAlive(pid)) ? [pid, ...(await childrenOf(pid))] : []
}
