import { sql } from 'kysely'
import type { AuditCheck } from '../money/audit.ts'

/** Finds test keys on an installation with real money, and real keys on a test side. */
const keyOfTheOtherSide: AuditCheck = {
  name: 'key_of_the_other_side',
  badRows: () => sql`
    select count(*) as bad from api_keys
    where (right(prefix, 6) = '_test_') <> exists (select from installation where mode = 'test')`,
}

export const testSideAuditChecks: readonly AuditCheck[] = [keyOfTheOtherSide]
