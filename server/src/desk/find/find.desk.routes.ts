import Type from 'typebox'
import { allFinders, readSearchText, searchTextLengthMax } from '../../all-finders.ts'
import { idPattern, replaceIdsByNames } from '../../people/desk/with-names.ts'
import { type FinderDeps, findEverywhere } from '../../platform/finding/finder.ts'
import { Envelope, ok } from '../../platform/http/envelope.ts'
import type { Api } from '../../platform/http/route-types.ts'
import { nameThings } from '../name-things.ts'

const Found = Type.Object(
  {
    matches: Type.Array(
      Type.Object({
        type: Type.String({ description: 'What it is, in one or two words.' }),
        id: Type.String(),
        text: Type.String({ description: 'A sentence that says what was found.' }),
        path: Type.String({ description: 'Where at the desk it is shown.' }),
      }),
    ),
    more: Type.Array(Type.String(), { description: 'The kinds of things of which there are more.' }),
  },
  { title: 'DeskFound' },
)

/** Registers the search, with the same finders as `makola find`. */
export function registerFindRoutes(desk: Api, deps: FinderDeps): void {
  desk.get(
    '/find',
    {
      config: { permission: 'see' },
      schema: {
        operationId: 'deskFind',
        tags: ['Find'],
        summary: 'Say what a text is: a number, reference, id, name, key, serial number',
        querystring: Type.Object({ q: Type.String({ minLength: 1, maxLength: searchTextLengthMax }) }),
        response: { 200: Envelope(Found) },
      },
    },
    async ({ query: { q } }) => {
      const wanted = readSearchText(q)
      if (wanted.text === '') return ok({ matches: [], more: [] })
      const { matches, more } = await findEverywhere(deps, allFinders, wanted)
      const names = await nameThings(
        deps.db,
        matches.flatMap(({ text }) => text.toLowerCase().match(idPattern) ?? []),
      )
      return ok({
        matches: matches.map(({ type, id, text, path }) => ({ type, id, text: replaceIdsByNames(text, names), path })),
        more: more.map(({ things }) => things),
      })
    },
  )
}
