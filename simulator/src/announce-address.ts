import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The content of `DATA_DIR/simulator.json`, by which other processes find the simulator. */
export type Address = {
  readonly url: string
  readonly pid: number
  /** SMPP port of the SMSC, on the same host. */
  readonly smscPort: number
}

const fileIn = (dataDir: string) => join(dataDir, 'simulator.json')

/** Writes the address of this process to the file, in one step: a reader sees the whole file or none. */
export async function announceAddress(dataDir: string, address: Address): Promise<void> {
  const draft = `${fileIn(dataDir)}.${address.pid}`
  await writeFile(draft, `${JSON.stringify(address)}\n`)
  await rename(draft, fileIn(dataDir))
}

/** Removes the file, unless another process has replaced it. */
export async function withdrawAddress(dataDir: string): Promise<void> {
  const address = await readAddress(dataDir)
  if (address?.pid === process.pid) await rm(fileIn(dataDir), { force: true })
}

/**
 * Finds a running simulator of this folder: two would overwrite each other's files. A file that a killed simulator left
 * behind is detected: the process has ended, or another program answers at its address.
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
