import type { Api } from '../platform/http/api.ts'
import { Envelope, ok } from '../platform/http/envelope.ts'
import { RefusalError } from '../platform/http/refusals.ts'
import { peopleRefusals } from './people.refusals.ts'
import { StaffMe } from './people.schemas.ts'
import type { PeopleDeps } from './people-deps.ts'
import { permissionsOfStaff } from './permissions/staff-permissions.ts'
import { operationOf, registerPasswordRoutes, registerSessionRoutes, registerSignInRoutes } from './session.routes.ts'
import { registerTwoFactorRoutes } from './two-factor.routes.ts'

export function registerPeopleDeskRoutes(desk: Api, deps: PeopleDeps): void {
  registerSignInRoutes(desk, 'desk', deps)
  registerPasswordRoutes(desk, 'desk', deps)
  registerSessionRoutes(desk, 'desk', deps)
  registerTwoFactorRoutes(desk, 'desk', deps)
  desk.get(
    '/me',
    {
      config: { permission: 'person' },
      schema: { ...operationOf('desk', 'readMe'), summary: 'Who is signed in', response: { 200: Envelope(StaffMe) } },
    },
    ({ person }) => {
      if (!person.staffRole) throw new RefusalError(peopleRefusals.notStaff)
      const isMissing = deps.isStaffTwoFactorNeeded && !person.hasTwoFactor
      return ok({
        person,
        role: person.staffRole,
        permissions: isMissing ? [] : permissionsOfStaff(person.staffRole),
        isSecondFactorMissing: isMissing,
      })
    },
  )
}
