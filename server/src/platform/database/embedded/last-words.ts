import { setTimeout as delay } from 'node:timers/promises'
import { runProgram, type Surroundings } from './run-program.ts'

/** The last line that the server writes to the log of its start, where it has a log of its own from then on. */
const ownLogBegins = /redirecting log output to logging collector process$/

/** Where the server says which file its collector writes to, in lines such as `stderr log/postgresql-Mon.log`. */
const collectorFiles = 'current_logfiles'

/** The collector ends after the server, with its last lines. */
const looks = { most: 20, pauseMilliseconds: 50 }

/**
 * Reads why a server did not start, in its own words: the end of `startLog`, and of its own log where that had begun. Both are
 * read as the server's user, because what lies there under their names could lead root to any file.
 */
export async function readLastWords(surroundings: Surroundings, startLog: string): Promise<string> {
  const tail = async (file: string, lines: number) => (await runProgram('tail', ['-n', `${lines}`, file], surroundings)).output
  const onStart = await tail(startLog, 3)
  let later = ''
  for (let look = 0; ownLogBegins.test(onStart) && !/FATAL|PANIC/.test(later) && look < looks.most; look += 1) {
    if (look > 0) await delay(looks.pauseMilliseconds)
    const ownLog = /^stderr (.+)$/m.exec(await tail(collectorFiles, 3))?.[1]
    if (ownLog !== undefined) later = await tail(ownLog, 5)
  }
  const words = later === '' ? onStart : later
  return words.split('\n').join(' | ')
}
