import process from 'node:process'

let isJson = false

/** Set once by the command line, from the global `--json`. */
export function setJsonOutput(wanted: boolean): void {
  isJson = wanted
}

export function isJsonOutput(): boolean {
  return isJson
}

/** Prints the result of a command: one JSON document with `--json`, otherwise the text for people. */
export function printResult(json: unknown, humanText: string): void {
  process.stdout.write(`${isJson ? JSON.stringify(json) : humanText}\n`)
}
