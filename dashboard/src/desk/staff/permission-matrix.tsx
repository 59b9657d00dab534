import { useQuery } from '@tanstack/react-query'
import { answerOf, api } from '../../both/api/call-api.ts'
import { Section } from '../../both/layout/page.tsx'
import { Asked } from '../../both/layout/wait.tsx'
import { frameWords } from '../words/frame.ts'
import { permissionWords, staffWords as words } from '../words/staff.ts'
import css from './staff.module.css'

function Mark({ isAllowed }: { readonly isAllowed: boolean }) {
  return (
    <svg
      className={isAllowed ? css.yes : css.no}
      viewBox="0 0 16 16"
      width="16"
      height="16"
      role="img"
      aria-label={isAllowed ? words.yes : words.no}
    >
      <path d={isAllowed ? 'M3 8.5l3.2 3.2L13 5' : 'M5 8h6'} />
    </svg>
  )
}

/** Every permission with the roles that have it, as the server checks it. */
export function PermissionMatrix() {
  const query = useQuery({
    queryKey: ['desk', 'staff', 'permissions'],
    queryFn: ({ signal }) => answerOf(() => api.GET('/desk/api/staff/permissions', { signal })),
    staleTime: Number.POSITIVE_INFINITY,
  })
  return (
    <Section title={words.matrix}>
      <Asked query={query}>
        {({ roles, permissions }) => (
          // A wide table is scrolled by keyboard too.
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
          <section className={css.scroll} tabIndex={0} aria-label={words.matrix}>
            <table className={css.matrix} aria-label={words.matrix}>
              <thead>
                <tr>
                  <th scope="col">{words.permission}</th>
                  {roles.map((role) => (
                    <th key={role} scope="col">
                      {frameWords.roles[role]}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {permissions.map(({ permission, roles: allowed, approvals }) => (
                  <tr key={permission}>
                    <th scope="row">
                      {permissionWords[permission] ?? permission}
                      {approvals.length > 0 && <small>{`${words.twoPeople} ${approvals.join(', ')}`}</small>}
                    </th>
                    {roles.map((role) => (
                      <td key={role}>
                        <Mark isAllowed={allowed.includes(role)} />
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </section>
        )}
      </Asked>
    </Section>
  )
}
