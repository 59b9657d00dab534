import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** What other processes find in `DATA_DIR/simulator.json`. */
export type Address = {
  readonly url: string
  readonly pid: number
  /** Where the SMSC listens for SMPP, on the same host. */
  readonly smscPort: number
}

const fileIn = (dataDir: string) => join(dataDir, 'simulator.json')

/** Tells where this process listens, in one step: a reader sees the whole file or none. */
export async function announceAddress(dataDir: string, address: Address): Promise<void> {
  const draft = `${fileIn(dataDir)}.${address.pid}`
  await writeFile(draft, `${JSON.stringify(address)}\n`)
  await rename(draft, fileIn(dataDir))
}

/** Takes the file away, unless another process has written its own since. */
export async function withdrawAddress(dataDir: string): Promise<void> {
  const address = await readAddress(dataDir)
  if (address?.pid === process.pid) await rm(fileIn(dataDir), { force: true })
}

/**
 * Finds a simulator that is at work in this folder: two of them would write over each other's books.
 * A file left by a killed one names a process that is gone, or somebody else who does not answer.
 */
export async function findRunningSimulator(dataDir: string): Promise<Address | undefined> {
  const address = await readAddress(dataDir)
  if (!address) return undefined
  try {
    const response = await fetch(`${address.url}/health`, { signal: AbortSignal.timeout(1_000) })
    const health = (await response.json()) as { pid?: unknown }
    return health.pid === address.pid ? address : undefined
  } catch {
    return undefined
  }
}

async function readAddress(dataDir: string): Promise<Address | undefined> {
  try {
    return JSON.parse(await readFile(fileIn(dataDir), 'utf8')) as Address
  } catch {
    return undefined
  }
}
