import { setTimeout as delay } from 'node:timers/promises'
import { type ProgramEnvironment, runProgram } from './run-program.ts'

/** The last line in the log of a start. After it the collector, a process of the server, writes all lines to another file. */
const ownLogBegins = /redirecting log output to logging collector process$/

/** The server names the collector's file here, in lines such as `stderr log/postgresql-Mon.log`. */
const collectorFiles = 'current_logfiles'

/** The collector ends after the server, so the last lines can come a moment later. */
const looks = { most: 20, pauseMilliseconds: 50 }

/**
 * Reads the server's own message why it did not start: the end of `startLog`, or of the collector's file if there is one.
 * Both are read as the server's user: a name or link made by that user could lead root to any file.
 */
export async function readStartFailure(surroundings: ProgramEnvironment, startLog: string): Promise<string> {
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
