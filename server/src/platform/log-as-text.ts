import type { DestinationStream } from 'pino'
import { printable } from './texts-for-people.ts'

/** Red marks lines that need a person. */
const red = '\u001b[31m'
const plain = '\u001b[39m'
const loudLevels = ['warn', 'error', 'fatal']

type LogLine = { level: string; time: string; role?: string; msg?: string; err?: LoggedError; [field: string]: unknown }
type LoggedError = { message?: unknown; stack?: unknown }

function fieldText(value: unknown): string {
  return printable(typeof value === 'string' ? value : JSON.stringify(value))
}

/** The stack of an error. A warning is shown without it, because its message is enough. */
function stackLines(level: string, err: LoggedError | undefined): string[] {
  if (level === 'warn' || typeof err?.stack !== 'string') return []
  const frames = err.stack.split('\n').filter((line) => /^\s+at /.test(line))
  return frames.map((line) => `             ${printable(line.trim())}`)
}

function render(line: LogLine, hasColour: boolean): string {
  const { level, time, role, msg, err, ...fields } = line
  const clock = new Date(time).toTimeString().slice(0, 8)
  const cause = err?.message === undefined ? '' : `: ${fieldText(err.message)}`
  const details = Object.entries(fields).map(([name, value]) => `  ${name}=${fieldText(value)}`)
  const sentence = `${printable(msg ?? '')}${cause}${details.join('')}`
  const isLoud = loudLevels.includes(level)
  const said = isLoud ? `${level.toUpperCase()} ${sentence}` : sentence
  const lines = [`${clock}  ${(role ?? '').padEnd(9)}  ${isLoud && hasColour ? `${red}${said}${plain}` : said}`]
  return `${[...lines, ...stackLines(level, err)].join('\n')}\n`
}

/**
 * Turns the log's JSON lines into lines for a person at a terminal: time of day, role, a sentence with its details, and red
 * for lines that need a person.
 */
export function logAsText(destination: DestinationStream, hasColour: boolean): DestinationStream {
  return { write: (line) => destination.write(render(JSON.parse(line) as LogLine, hasColour)) }
}
