import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { readJsonObject, textField } from '../calling/read-json.ts'

/** Places to look for the simulator's address. */
export type SimulatorSource = { readonly simulatorUrl: string | undefined; readonly dataDir: string }

const fileIn = (dataDir: string): string => join(dataDir, 'simulator.json')

/**
 * Time at which a simulator last wrote its address, in milliseconds; undefined when there is no such file. Takes a quarter as
 * long as reading the address.
 */
export async function simulatorWroteAt({ dataDir }: Pick<SimulatorSource, 'dataDir'>): Promise<number | undefined> {
  const found = await stat(fileIn(dataDir)).catch(() => undefined)
  return found?.mtimeMs
}

/**
 * The simulator's address: the configured one, else that in `DATA_DIR/simulator.json`. Callers read it repeatedly, because a
 * restarted simulator may have another port.
 * @returns undefined when there is neither
 */
export async function findSimulator(source: SimulatorSource): Promise<string | undefined> {
  if (source.simulatorUrl !== undefined) return source.simulatorUrl.replace(/\/+$/, '')
  // A missing or half-written file means that no simulator runs yet.
  const text = await readFile(fileIn(source.dataDir), 'utf8').catch(() => '')
  const url = textField(readJsonObject(text), 'url')
  return url !== undefined && URL.canParse(url) ? url.replace(/\/+$/, '') : undefined
}
