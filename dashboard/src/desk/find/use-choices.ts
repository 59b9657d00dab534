import { useDebouncedValue } from '@mantine/hooks'
import { useRead } from '../../both/api/use-read.ts'
import { type Choice, type Found, lengthMin, pauseMilliseconds, signOutFor } from '../../both/find/find-dialog.tsx'
import { findWords as words } from '../../both/find/find-words.ts'
import { matchesWords } from '../../both/find/match-words.ts'
import { useDeskMe } from '../me.ts'
import { destinationsFor } from '../screens.ts'
import { deskCommands, innerScreens, otherNames } from './desk-commands.ts'
import { findScreenPath } from './find-screen-path.ts'

type Recent = { readonly title: string; readonly detail: string; readonly path: string }

const recentMax = 6
const keyOf = (personId: string) => `makola.desk-recent.${personId}`

/** The person's last choices in this browser, the newest first. */
export function readRecent(personId: string): readonly Recent[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keyOf(personId)) ?? '[]')
    return Array.isArray(kept) ? (kept as Recent[]) : []
  } catch {
    return []
  }
}

export function keepRecent(personId: string, chosen: Recent): void {
  const others = readRecent(personId).filter(({ path }) => path !== chosen.path)
  localStorage.setItem(keyOf(personId), JSON.stringify([chosen, ...others].slice(0, recentMax)))
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/**
 * The choices for a typed text: matching commands and screens at once, and later the server's results. For an empty text: the
 * person's last choices, and all commands for which the person has the permission.
 */
export function useChoices(text: string): Found {
  const me = useDeskMe()
  const typed = text.trim()
  const [paused] = useDebouncedValue(typed, pauseMilliseconds)
  const isAsked = paused.length >= lengthMin
  const found = useRead('desk-find', '/desk/api/find', { q: paused }, { enabled: isAsked, staleTime: 5_000 })
  const commands = deskCommands.filter(({ permission }) => me.permissions.includes(permission))
  const own = [
    ...(typed === ''
      ? readRecent(me.person.person_id).map((recent) => ({ ...recent, key: `recent ${recent.path}`, group: words.recent }))
      : []),
    ...destinationsFor(me.permissions)
      .map(({ title, href }) => ({ title, path: href, words: otherNames[href] ?? '' }))
      .concat(innerScreens)
      .filter(({ title, words: others }) => typed !== '' && matchesWords(typed, `${title} ${others}`))
      .map(({ title, path }) => ({ key: path, group: words.screens, title, detail: '', path })),
    ...commands
      .filter(({ title, words: others = '' }) => matchesWords(typed, `${title} ${others}`))
      .map(({ title, path }) => ({ key: title, group: words.commands, title, detail: '', path })),
  ]
  // The server's results for an earlier text are left out, because Enter might open one of them.
  const matches = isAsked && typed === paused ? (found.data?.matches ?? []) : []
  const things = matches.map(({ type, id, text: sentence, path }) => ({
    key: `${type} ${id} ${sentence}`,
    group: words.found,
    title: capital(type),
    detail: sentence,
    path,
  }))
  const withPlaces = <T extends { readonly path: string }>(some: readonly T[]) =>
    some.map((choice) => ({ ...choice, path: findScreenPath(choice.path) }))
  const all: Choice[] = [...withPlaces(own).filter(({ path }) => path !== undefined), ...signOutFor(typed), ...withPlaces(things)]
  return {
    choices: all,
    more: typed !== paused ? [] : (found.data?.more ?? []),
    isSearching: typed !== paused || found.isFetching,
    error: found.error,
  }
}
