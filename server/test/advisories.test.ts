import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { checkAdvisories, listInstalled, readNpmReport, tellOf } from '../../.ci/check-advisories.ts'

/** The registry and OSV in one: what it answers to an address; an address that it does not know is refused with 405. */
let answers: Record<string, (request: IncomingMessage) => Promise<object> | object>
let asked: string[]
let server: Server
let folder: string
let url: string

const bulk = '/-/npm/v1/security/advisories/bulk'
const lock = {
  name: 'shop',
  lockfileVersion: 3,
  requires: true,
  packages: {
    '': { name: 'shop', version: '1.0.0', dependencies: { lodash: '4.17.20', '@some/tool': '1.0.0' } },
    'node_modules/lodash': { version: '4.17.20', resolved: 'https://registry.npmjs.org/lodash/-/lodash-4.17.20.tgz' },
    'node_modules/@some/tool': { version: '1.0.0', resolved: 'https://registry.npmjs.org/@some/tool/-/tool-1.0.0.tgz' },
  },
}

beforeAll(async () => {
  server = createServer((request, response) => {
    const path = request.url ?? ''
    asked.push(path)
    const answer = answers[path]
    if (!answer) response.writeHead(405).end()
    else void Promise.resolve(answer(request)).then((body) => response.end(JSON.stringify(body)))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  folder = await mkdtemp(join(tmpdir(), 'makola-advisories-'))
  await writeFile(join(folder, 'package-lock.json'), JSON.stringify(lock))
  await writeFile(join(folder, 'package.json'), JSON.stringify(lock.packages['']))
  await writeFile(join(folder, '.npmrc'), `registry=${url}/\n`)
})
afterAll(async () => {
  server.close()
  await rm(folder, { recursive: true, force: true })
})
beforeEach(() => {
  answers = {}
  asked = []
})

async function check() {
  const said: string[] = []
  return { exitCode: await checkAdvisories({ folder, osvUrl: url }, (line) => said.push(line)), said: said.join('\n') }
}

describe('the check for advisories', () => {
  it('asks the registry, and nobody else when that answers', async () => {
    answers = { [bulk]: () => ({}) }
    expect(await check()).toEqual({
      exitCode: 0,
      said: 'npm audit was asked about 2 packages and knows 0 advisories.',
    })
    expect(asked).toEqual([bulk])
  })

  it('asks OSV where the registry refuses, and names what it finds', async () => {
    answers = {
      '/v1/querybatch': async (request) => {
        const { queries } = (await json(request)) as { queries: { package: { name: string }; version: string }[] }
        expect(queries).toContainEqual({ package: { name: '@some/tool', ecosystem: 'npm' }, version: '1.0.0' })
        return { results: queries.map((query) => (query.package.name === 'lodash' ? { vulns: [{ id: 'GHSA-1' }] } : {})) }
      },
      '/v1/vulns/GHSA-1': () => ({ id: 'GHSA-1', summary: 'Runs what strangers send' }),
    }
    const { exitCode, said } = await check()
    expect(said).toContain('npm audit gave no answer')
    expect(said).toContain('lodash 4.17.20: Runs what strangers send (GHSA-1)')
    expect(exitCode).toBe(1)
  })

  it('says that nothing was checked when nobody answers, with an exit code of its own', async () => {
    const { exitCode, said } = await check()
    expect(said).toContain('Nobody answered, so nothing was checked.')
    expect(exitCode).toBe(3)
  })

  it('takes an answer that leaves packages out for none', async () => {
    answers = { '/v1/querybatch': () => ({ results: [] }) }
    expect((await check()).exitCode).toBe(3)
  })
})

describe('what is found', () => {
  it('is read from the report of npm, each cause once', () => {
    const cause = { name: 'lodash', title: 'Bad', url: 'https://github.com/advisories/GHSA-1', severity: 'high' }
    const report = { vulnerabilities: { lodash: { via: [cause] }, user: { via: ['lodash'] } } }
    expect(readNpmReport(JSON.stringify(report))).toEqual([{ id: 'GHSA-1', name: 'lodash', title: 'Bad' }])
    expect(() => readNpmReport('{"message":"405 Method Not Allowed"}')).toThrow('answers no such question')
  })

  it('fails the check unless it is accepted with a reason; a reason for nothing is named', () => {
    const said: string[] = []
    const found = [{ id: 'GHSA-1', name: 'lodash', title: 'Bad' }]
    expect(tellOf(found, {}, () => undefined)).toBe(1)
    expect(tellOf(found, { 'GHSA-1': 'not called', 'GHSA-2': 'old' }, (line) => said.push(line))).toBe(0)
    expect(said.join('\n')).toMatch(/lodash: GHSA-1 is accepted: not called\n.*no longer found: GHSA-2/)
  })

  it('is asked for every package of the lock but our own', () => {
    expect(
      listInstalled({ packages: { ...lock.packages, server: { version: '1' }, 'node_modules/own': { link: true } } }),
    ).toEqual([
      { name: 'lodash', version: '4.17.20' },
      { name: '@some/tool', version: '1.0.0' },
    ])
  })
})
