import { Envelope, ok } from '../platform/http/envelope.ts'
import { RefusalError } from '../platform/http/refusals.ts'
import type { Api } from '../platform/http/route-types.ts'
import { registerDirectoryRoutes } from './directory/directory.desk.routes.ts'
import { registerPasskeyRoutes } from './passkeys/passkeys.routes.ts'
import { hasPasskey } from './passkeys/passkeys.ts'
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
  registerPasskeyRoutes(desk, 'desk', deps)
  registerDirectoryRoutes(desk, deps)
  desk.get(
    '/me',
    {
      config: { permission: 'person' },
      schema: { ...operationOf('desk', 'readMe'), summary: 'Who is signed in', response: { 200: Envelope(StaffMe) } },
    },
    async ({ person }) => {
      if (!person.staffRole) throw new RefusalError(peopleRefusals.notStaff)
      const isMissing = deps.isStaffTwoFactorNeeded && !person.hasTwoFactor
      return ok({
        person: { ...person, hasPasskey: await hasPasskey(deps.db, person.personId) },
        role: person.staffRole,
        permissions: isMissing ? [] : permissionsOfStaff(person.staffRole),
        isSecondFactorMissing: isMissing,
      })
    },
  )
}
