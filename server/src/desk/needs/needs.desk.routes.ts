import Type from 'typebox'
import { approvalPermissions } from '../../people/permissions/approval-permissions.ts'
import { permissionsOfStaff } from '../../people/permissions/staff-permissions.ts'
import type { Db } from '../../platform/database/database.ts'
import { Envelope, ok } from '../../platform/http/envelope.ts'
import type { Api } from '../../platform/http/route-types.ts'
import { Moment, Nullable } from '../../platform/http/schemas.ts'
import { readNeeds, waitingCountMax } from './read-needs.ts'

const Needs = Type.Object(
  {
    needs: Type.Array(
      Type.Object({
        name: Type.String({ description: 'Of which kind: `keys`, `top-ups`, `stuck`.' }),
        path: Type.String({ description: 'The screen of the desk where it is done.' }),
        count: Type.Integer({ description: `Of more than ${waitingCountMax}, so many are counted.` }),
        oldest_at: Nullable(Moment({ description: 'Since when the first one waits.' })),
        lines: Type.Array(
          Type.Object({
            id: Type.String(),
            at: Nullable(Moment()),
            text: Type.String(),
            path: Type.String({ description: 'Where at the desk this one is done.' }),
          }),
          { description: 'The first ones, the longest waiting first.' },
        ),
      }),
    ),
  },
  { title: 'DeskNeeds' },
)

export function registerNeedsRoutes(desk: Api, { db }: { readonly db: Db }): void {
  desk.get(
    '/needs',
    {
      config: { permission: 'see' },
      schema: {
        operationId: 'deskNeeds',
        tags: ['Needs'],
        summary: 'What waits for the person who asks, by kind',
        response: { 200: Envelope(Needs) },
      },
    },
    async ({ person, staff }) => {
      const permissions = person.staffRole ? permissionsOfStaff(person.staffRole) : []
      const mayConfirm = Object.keys(approvalPermissions).filter((kind) => {
        const permission = approvalPermissions[kind]
        return permission !== undefined && permissions.includes(permission)
      })
      const needs = await readNeeds(db, permissions, { by: staff.person.by, mayConfirm })
      return ok({ needs: needs.map(({ oldestAt, ...need }) => ({ ...need, oldest_at: oldestAt?.toISOString() ?? null })) })
    },
  )
}
