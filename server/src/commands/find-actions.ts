import { allFinders, readSearchText, searchTextLengthMax } from '../all-finders.ts'
import { readConfig } from '../config.ts'
import { findEverywhere, type Match, matchesMax, quoteForShell, type SearchResults } from '../platform/finding/finder.ts'
import { printable } from '../platform/texts-for-people.ts'
import { printResult } from './frame/print-result.ts'
import { readText } from './frame/read-options.ts'
import { withDatabaseAndKeys } from './frame/with-database.ts'

type Found = Pick<SearchResults, 'more'> & { readonly matches: readonly Omit<Match, 'path'>[] }

/** A request id that the API made: the run of the process, and a count. Ids of callers can have any form. */
const ownRequestId = /^[0-9a-f]{18}-[0-9a-z]+$/

/** The database does not store requests, so a request id leads to the log of the API. */
function findRequest(text: string): Omit<Match, 'path'>[] {
  if (!ownRequestId.test(text)) return []
  return [
    {
      type: 'request',
      id: text,
      text: `The id of a request to the API. The log of the API has its line, with the account, what was asked and what was answered.`,
      next: `journalctl --unit makola-api --grep ${quoteForShell(text)}`,
    },
  ]
}

function describe({ matches, more }: Found): string {
  const lines = matches.flatMap(({ text, next }) => [printable(text), `  ${printable(next)}`])
  const others = more.flatMap(({ things, next }) => [
    `There are more ${things} than these ${matchesMax}.`,
    ...(next === null ? [] : [`  ${printable(next)}`]),
  ])
  return [...lines, ...others].join('\n')
}

export async function runFind(words: string): Promise<void> {
  const text = readText('The text to look for', words, searchTextLengthMax)
  const found = await withDatabaseAndKeys(readConfig(), (db, secretsKeys) =>
    findEverywhere({ db, secretsKeys }, allFinders, readSearchText(text)),
  )
  const matches = [...found.matches.map(({ path: _path, ...match }) => match), ...findRequest(text)]
  const nothing = 'Nothing has this text. If it is a request id that a caller chose, the log of the API has it.'
  printResult({ matches, more: found.more }, matches.length === 0 ? nothing : describe({ matches, more: found.more }))
}
