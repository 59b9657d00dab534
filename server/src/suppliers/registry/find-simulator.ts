import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { readJsonObject, textField } from '../calling/read-json.ts'

/** Where the simulator's address comes from. */
export type SimulatorSource = { readonly simulatorUrl: string | undefined; readonly dataDir: string }

const fileIn = (dataDir: string): string => join(dataDir, 'simulator.json')

/**
 * When a running simulator last wrote its address, in milliseconds; undefined while none runs. To ask this often costs a
 * quarter of reading the address.
 */
export async function simulatorWroteAt({ dataDir }: Pick<SimulatorSource, 'dataDir'>): Promise<number | undefined> {
  const found = await stat(fileIn(dataDir)).catch(() => undefined)
  return found?.mtimeMs
}

/**
 * The simulator's address: the configured one, else what a running simulator wrote to
 * `DATA_DIR/simulator.json`. Read again and again: a simulator that restarts may be on another port.
 *
 * @returns undefined while none runs
 */
export async function findSimulator(source: SimulatorSource): Promise<string | undefined> {
  if (source.simulatorUrl !== undefined) return source.simulatorUrl.replace(/\/+$/, '')
  // A file that is missing, or half written, is a simulator that is not there yet.
  const text = await readFile(fileIn(source.dataDir), 'utf8').catch(() => '')
  const url = textField(readJsonObject(text), 'url')
  return url !== undefined && URL.canParse(url) ? url.replace(/\/+$/, '') : undefined
}
