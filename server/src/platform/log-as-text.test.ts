import { expect, it } from 'vitest'
import { createLog } from './create-log.ts'

function write(options: { hasColour?: boolean }, log: (to: ReturnType<typeof createLog>) => void): string {
  let written = ''
  const destination = { write: (text: string) => void (written += text) }
  log(createLog({ role: 'api', level: 'info', format: 'text', destination, ...options }))
  return written
}

it('a line for a terminal is the time, the role and a sentence with what belongs to it, without colour', () => {
  expect(write({ hasColour: true }, (log) => log.info({ port: 8443, url: 'https://x' }, 'api is ready'))).toMatch(
    /^\d\d:\d\d:\d\d {2}api {8}api is ready {2}port=8443 {2}url=https:\/\/x\n$/,
  )
})

it('what needs a person is red, where the terminal shows colours, and named by its level everywhere', () => {
  const warn = (log: ReturnType<typeof createLog>) => log.warn({ err: new Error('gone') }, 'a connection broke')
  expect(write({ hasColour: true }, warn)).toContain('  \u001b[31mWARN a connection broke: gone\u001b[39m\n')
  expect(write({}, warn)).toMatch(/ {2}WARN a connection broke: gone\n$/)
  const error = write({}, (log) => log.error({ err: new Error('a bug') }, 'unexpected'))
  expect(error).toMatch(/ERROR unexpected: a bug\n {13}at /)
})

it('secrets stay hidden and nothing steers the terminal', () => {
  const text = write({}, (log) => log.info({ apiKey: 'planted', reference: 'a\u001b[2Jb' }, 'careless'))
  expect(text).not.toContain('planted')
  expect(text).toContain('reference=a\ufffd[2Jb')
})
