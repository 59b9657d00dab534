import { type DestinationStream, type Logger, pino } from 'pino'
import { logAsText } from './log-as-text.ts'

/**
 * Fields whose values the log replaces: keys, credentials, and the personal data that is sealed in the database. Each name is
 * looked for at the top level of a line and one level below.
 */
const secretNames = [
  'authorization',
  'apiKey',
  'key',
  'pin',
  'serialNumber',
  'password',
  'secret',
  'token',
  'credentials',
  'idNumber',
  'dateOfBirth',
  'id_number',
  'date_of_birth',
  'serial_number',
  '["x-api-key"]',
  '["x-datamart-signature"]',
]

/**
 * The parts of an error that help to find its cause. Values of a statement, which PostgreSQL repeats in `detail`, and
 * the connection are left out.
 */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const { code, constraint, table } = error as Error & { code?: unknown; constraint?: unknown; table?: unknown }
  return {
    type: error.name,
    message: error.message,
    ...(code === undefined ? {} : { code }),
    ...(constraint === undefined ? {} : { constraint, table }),
    ...(error.cause === undefined ? {} : { cause: describeError(error.cause) }),
    stack: error.stack,
  }
}

const below = (name: string) => (name.startsWith('[') ? `*${name}` : `*.${name}`)

/**
 * Makes the log of a process: one JSON object per line, with the time in ISO 8601, the process's role, and secrets replaced.
 * The format `text` is for a person at a terminal.
 *
 * @param options.role `api`, `worker` …, on every line
 * @param options.format `json` unless given
 * @param options.hasColour true: in text, lines that need a person are coloured
 * @param options.destination standard output unless given
 */
export function createLog(options: {
  role?: string
  level: string
  format?: 'json' | 'text'
  hasColour?: boolean
  destination?: DestinationStream
}): Logger {
  const destination = options.destination ?? pino.destination({ dest: 1, sync: true })
  return pino(
    {
      level: options.level,
      base: options.role === undefined ? null : { role: options.role },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: describeError },
      redact: { paths: [...secretNames, ...secretNames.map(below)], censor: '[redacted]' },
    },
    options.format === 'text' ? logAsText(destination, options.hasColour ?? false) : destination,
  )
}
