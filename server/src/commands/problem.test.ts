import { describe, expect, it } from 'vitest'
import { makeAccount } from '../../test/make-account.ts'
import { setUpCommandLine } from '../../test/set-up-command-line.ts'
import { createProblemReporter } from '../accounts/problems/report-problem.ts'
import { allCommands } from '../all-commands.ts'

const desk = setUpCommandLine(allCommands)
const { run } = desk

describe('makola problem', () => {
  it('lists what waits, shows, answers and closes it; what has ended is not ended again', async () => {
    const report = createProblemReporter(desk.db)
    const { accountId } = await makeAccount(desk.db)
    const reported = (text: string, orderReference?: string) =>
      report({ accountId, text, orderReference, actor: 'ama@example.test' })
    const [first, second] = [await reported('Nothing arrived\nsince noon', 'ord-17'), await reported('Solved by now')]
    const { stdout } = await run('problem', 'list')
    expect(stdout.split('\n')[0]).toMatch(/about ord-17\s+Nothing arrived.since noon/)
    expect((await run('problem', 'show', first.problemId)).stdout).toContain('ord-17')
    const answer = () => run('problem', 'answer', first.problemId, '--answer', 'It is there.')
    expect(await answer()).toMatchObject({ exitCode: 0, stdout: 'Answered. The reseller gets the answer.\n' })
    expect(await answer()).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('answered or closed already') })
    expect(await run('problem', 'close', second.problemId)).toMatchObject({ exitCode: 0, stdout: 'Closed.\n' })
    expect((await run('problem', 'list')).stdout).toBe('No problem waits for an answer.\n')
  })
})

describe('an id that is none', () => {
  it.each([
    [['problem', 'show', 'my-problem']],
    [['problem', 'close', 'my-problem']],
    [['webhook', 'deliveries', 'my-problem']],
    [['webhook', 'pause', 'my-problem']],
    [['webhook', 'show', '0190a1b2-0000-7000-8000-000000000000', 'my-problem']],
  ])('is named, whatever the command does with it: %j', async (words) => {
    expect(await run(...words)).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('"my-problem" is no id') })
  })
})
