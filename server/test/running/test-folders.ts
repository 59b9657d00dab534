import { accessSync, constants, readFileSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import process from 'node:process'

/** Where a run keeps what later runs use again, or what a person looks at afterwards: on the disk, whatever `chooseFolder` chose. */
export const keptFolder = (process.env['MAKOLA_KEPT_FOLDER'] ??= tmpdir())

/** Where Linux keeps files in memory. */
const inMemory = '/dev/shm'

/** What a run keeps there at a time is less than 1 GB; the rest stays free for the processes of the tests. */
const megabytesWanted = 6_000

/** Some containers have such a folder, but programs in it do not start; the browser's and the database's would. */
function startsNoPrograms(): boolean {
  const mount = readFileSync('/proc/mounts', 'utf8')
    .split('\n')
    .findLast((line) => line.split(' ')[1] === inMemory)
  return mount?.split(' ')[3]?.split(',').includes('noexec') ?? true
}

/**
 * Chooses where a run of the tests keeps its temporary files: in memory, where there is plenty of it. The database and the
 * processes flush each commit as they always do, but nobody waits for a disk. A process that is killed leaves the same
 * files behind as on a disk.
 * @returns the usual folder where there is not
 */
export function chooseFolder(): string {
  try {
    accessSync(inMemory, constants.W_OK)
    const { bavail, bsize } = statfsSync(inMemory)
    const megabytes = Math.min(bavail * bsize, process.availableMemory()) / 2 ** 20
    return megabytes < megabytesWanted || startsNoPrograms() ? keptFolder : inMemory
  } catch {
    return keptFolder
  }
}

/** Whether this run keeps its temporary files in memory. */
export const isInMemory = (): boolean => tmpdir() === inMemory
