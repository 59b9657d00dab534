import Type from 'typebox'
import type { Db } from '../../platform/database/database.ts'
import { Envelope, ok } from '../../platform/http/envelope.ts'
import type { Api } from '../../platform/http/route-types.ts'
import { OneOf } from '../../platform/http/schemas.ts'
import { dismissSetUp, setUpSteps } from './read-set-up.ts'

export const SetUp = Type.Object(
  {
    isDismissed: Type.Boolean({ description: 'Whether the person wants to see the steps no more.' }),
    steps: Type.Array(
      Type.Object({
        step: OneOf(setUpSteps),
        isDone: Type.Boolean(),
        who: OneOf(['you', 'operator'], { description: 'Who must act.' }),
      }),
    ),
  },
  { title: 'SetUp' },
)

export function registerSetUpRoutes(app: Api, deps: { readonly db: Db }): void {
  app.post(
    '/set-up/dismissal',
    {
      config: { permission: 'person' },
      schema: {
        operationId: 'dismissSetUp',
        tags: ['Account'],
        summary: 'Show the steps no more',
        response: { 200: Envelope(Type.Object({ accepted: Type.Literal(true) }, { title: 'Dismissed' })) },
      },
    },
    async ({ person }) => {
      await dismissSetUp(deps.db, person.personId)
      return ok({ accepted: true } as const)
    },
  )
}
