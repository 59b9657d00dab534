import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { access, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { constants, tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { untilTrue } from '../../../../test/patience.ts'
import { programEnvironment } from '../../../../test/program-environment.ts'
import { createTestDatabase } from '../../../../test/test-database.ts'

const entry = fileURLToPath(new URL('../../../../bin/makola.js', import.meta.url))
const repository = fileURLToPath(new URL('../../../../..', import.meta.url))
/** Long enough for a second signal to count as a new one. */
const laterMilliseconds = 700
const oldestHostMajor = 20
const packagedMajor = 24

function majorOf(node: string): number | undefined {
  try {
    return Number(execFileSync(node, ['-p', 'process.versions.node.split(".")[0]'], { encoding: 'utf8', stdio: 'pipe' }))
  } catch {
    return undefined
  }
}

/** The machine's own Node, if there is one. When `makola` is started with it, it switches to the packaged Node. */
function findHostNode(): string | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/bin', '/usr/local/bin']
  return folders
    .map((folder) => join(folder, 'node'))
    .find((node) => {
      const major = majorOf(node)
      return major !== undefined && major >= oldestHostMajor && major < packagedMajor
    })
}

const hostNode = findHostNode()
const nodes = [
  ['the packaged Node', join(repository, 'node_modules/.bin/node')],
  ...(hostNode === undefined ? [] : [['an older Node of the host', hostNode]]),
] as [string, string][]
/** Each kind of suppliers runs with one Node, so two runs try both kinds and both Nodes, and not every pair of them. */
const cells = (['simulator', 'live'] as const).map((suppliers, index) => {
  const [name, node] = nodes[index % nodes.length] ?? []
  return { suppliers, name, node }
})

let folder: string
let servers: Server[] = []
let sockets: Socket[] = []
const children = new Set<ChildProcess>()
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'makola-failed-start-'))
})
afterEach(async () => {
  for (const child of children) child.kill('SIGKILL')
  children.clear()
  for (const socket of sockets) socket.destroy()
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
  servers = []
  sockets = []
})
afterAll(() => rm(folder, { recursive: true, force: true }))

function environmentOf(environment: Record<string, string>): Record<string, string> {
  return {
    ...programEnvironment(),
    DATA_DIR: join(folder, randomBytes(4).toString('hex')),
    PORT: '0',
    PUBLIC_URL: 'https://api.example.com',
    ...environment,
  }
}

function start(environment: Record<string, string>, node = nodes[0]?.[1] ?? '') {
  const child = spawn(node, [entry, 'start'], { env: environmentOf(environment), stdio: ['ignore', 'pipe', 'pipe'] })
  children.add(child)
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
  const ended = once(child, 'close').then(([exitCode]) => ({ exitCode: exitCode as number | null, stderr }))
  return { child, ended, output: () => stdout }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** All processes below a process: its children, their children, and so on. */
function descendantsOf(pid: number): { pid: number; command: string }[] {
  const listing = execFileSync('ps', ['-e', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' })
  const all = listing.split('\n').flatMap((line) => {
    const [, own, parent, command = ''] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? []
    return own === undefined ? [] : [{ pid: Number(own), parent: Number(parent), command }]
  })
  const below = (of: number): typeof all => all.filter((each) => each.parent === of).flatMap((each) => [each, ...below(each.pid)])
  return below(pid)
}

async function listen(onConnection: (socket: Socket) => void): Promise<string> {
  const server = createServer((socket) => {
    sockets.push(socket)
    onConnection(socket)
  })
  servers.push(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return String((server.address() as AddressInfo).port)
}

/** Starts a server that accepts connections and logins and never answers a statement. */
async function listenInSilence(onQuestion: () => void): Promise<string> {
  const isIn = Buffer.from('R\0\0\0\x08\0\0\0\0Z\0\0\0\x05I', 'latin1')
  const port = await listen((socket) => {
    socket.on('error', () => undefined)
    socket.once('data', () => {
      socket.write(isIn)
      socket.on('data', onQuestion)
    })
  })
  return `postgresql://makola@127.0.0.1:${port}/makola`
}

const ofItsOwn = { SECRETS_KEY: randomBytes(32).toString('base64') }

describe.each(cells)('`makola start` with suppliers $suppliers on $name', ({ suppliers, node }) => {
  test('ends with 1 and one line when the database cannot be reached', async () => {
    const environment = { ...ofItsOwn, SUPPLIERS: suppliers, DATABASE_URL: 'postgresql://nobody@127.0.0.1:9/nowhere' }
    const { exitCode, stderr } = await start(environment, node).ended
    expect(stderr).toMatch(/^makola: The database cannot be reached: .+\n$/)
    expect(exitCode).toBe(1)
  })

  test('ends at the first signal while it waits for a database that does not answer', async () => {
    const asked = Promise.withResolvers<void>()
    const environment = { ...ofItsOwn, SUPPLIERS: suppliers, DATABASE_URL: await listenInSilence(asked.resolve) }
    const { child, ended } = start(environment, node)
    await asked.promise
    child.kill('SIGTERM')
    expect(await ended).toEqual({ exitCode: 0, stderr: '' })
  })

  test('ends at once at a second signal, here while a paused worker does not stop', async () => {
    const database = await createTestDatabase()
    try {
      const environment = { ...ofItsOwn, SUPPLIERS: suppliers, DATABASE_URL: database.applicationUrl, DEMO: 'off' }
      const { child, output } = start(environment, node)
      await untilTrue(
        () => output().includes('makola is ready'),
        () => `it is not ready: ${output()}`,
      )
      const worker = descendantsOf(child.pid ?? 0).find(({ command }) => command.includes('makola.js worker'))
      if (!worker) throw new Error('the worker does not run')
      process.kill(worker.pid, 'SIGSTOP')
      const again = setInterval(() => child.kill('SIGTERM'), laterMilliseconds)
      const [exitCode] = (await once(child, 'exit')) as [number | null]
      clearInterval(again)
      process.kill(worker.pid, 'SIGKILL')
      expect(exitCode).toBe(128 + constants.signals.SIGTERM)
    } finally {
      await database.drop()
    }
  })
})

describe('`npm start` ends with npm', () => {
  test.each(['SIGTERM', 'SIGINT', 'SIGKILL'] as const)('when npm is ended by %s', async (signal) => {
    const asked = Promise.withResolvers<void>()
    const databaseUrl = await listenInSilence(asked.resolve)
    const environment = { ...environmentOf({ ...ofItsOwn, DATABASE_URL: databaseUrl }), NO_UPDATE_NOTIFIER: '1' }
    const npm = spawn('npm', ['start'], { cwd: repository, env: environment, stdio: 'ignore' })
    children.add(npm)
    await asked.promise
    const platform = descendantsOf(npm.pid ?? 0)
    expect(platform.map(({ command }) => command)).toContainEqual(expect.stringMatching(/makola start$/))
    npm.kill(signal)
    await untilTrue(
      () => platform.every(({ pid }) => !isAlive(pid)),
      () => 'the platform does not end',
    )
  })
})

describe('`makola start` looks before it makes anything, and refuses in one line', () => {
  test('a port that is taken', async () => {
    const port = await listen(() => undefined)
    const { exitCode, stderr } = await start({ PORT: port, DATA_DIR: join(folder, 'port-taken') }).ended
    expect({ exitCode, stderr }).toEqual({
      exitCode: 1,
      stderr: `makola: Port ${port} is taken by another process. Stop that one, or give this one another port with PORT.\n`,
    })
    await expect(access(join(folder, 'port-taken'))).rejects.toThrow('ENOENT')
  })

  test('an address that is not one of this machine', async () => {
    // This address belongs to a network that is reserved for documentation.
    expect(await start({ HOST: '192.0.2.1' }).ended).toEqual({
      exitCode: 1,
      stderr: 'makola: 192.0.2.1 is no address of this machine. Set HOST to one that is.\n',
    })
  })

  test('a folder that cannot be written to, by its name', async () => {
    const file = join(folder, 'file')
    await writeFile(file, '')
    const below = join(file, 'data')
    const refused = await start({ DATA_DIR: below }).ended
    expect(refused.exitCode).toBe(1)
    expect(refused.stderr).toMatch(/^makola: DATA_DIR is .+, where this user cannot write: .+\n$/)
    expect(refused.stderr).toContain(below)
    expect(await start({ DATA_DIR: file }).ended).toEqual({
      exitCode: 2,
      stderr: `makola: DATA_DIR is ${file}, which is a file. Set it to a folder.\n`,
    })
  })

  // `/proc` is a disk without room on every Linux, for every user.
  test.runIf(process.platform === 'linux')('a full disk', async () => {
    const { exitCode, stderr } = await start({ DATA_DIR: '/proc/makola' }).ended
    expect(exitCode).toBe(1)
    expect(stderr).toMatch(/^makola: The disk of \/proc\/makola is full: 0 MB are free and 200 MB are needed\. .+\n$/)
  })
})
