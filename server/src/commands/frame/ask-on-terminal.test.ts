import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { askOnTerminal } from './ask-on-terminal.ts'

describe('on a terminal', () => {
  const ask = async (answer: string | undefined, isSure = false) => {
    const input = Object.assign(new PassThrough(), { isTTY: true })
    const output = Object.assign(new PassThrough(), { isTTY: true })
    const asked = askOnTerminal('Credit GHS 5.00?', isSure, { input, output } as never)
    if (answer === undefined) input.end()
    else input.write(answer)
    return asked.then(
      () => String(output.read() ?? ''),
      (error: Error) => error.message,
    )
  }

  it('a person is asked first, and only yes is yes', async () => {
    expect(await ask('y\n')).toContain('Credit GHS 5.00? [y/N]')
    expect(await ask('YES\n')).toContain('Credit GHS 5.00? [y/N]')
    for (const answer of ['n\n', '\n', 'perhaps\n', undefined]) expect(await ask(answer)).toBe('Nothing was done.')
  })

  it('nobody is asked with --yes, nor where there is no terminal', async () => {
    expect(await ask('', true)).toBe('')
    const stream = new PassThrough()
    await askOnTerminal('Credit?', false, { input: stream, output: stream } as never)
    expect(stream.read()).toBeNull()
  })
})
