import { useMemo } from 'react'
import type { Schema } from '../../both/api/call-api.ts'
import { useRead } from '../../both/api/use-read.ts'
import { Section } from '../../both/layout/page.tsx'
import { QueryAnswer } from '../../both/layout/query-states.tsx'
import { type Column, TableOrCards } from '../../both/list/table-or-cards.tsx'
import { nameKind } from '../words/approvals.ts'
import { frameWords } from '../words/frame.ts'
import { permissionWords, staffWords as words } from '../words/staff.ts'
import css from './staff.module.css'

type Table = Schema<'PermissionTable'>
type Permission = Table['permissions'][number]

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

const permissionColumn: Column<Permission> = {
  title: words.permission,
  isMain: true,
  show: ({ permission, approvals }) => (
    <>
      {permissionWords[permission] ?? permission}
      {approvals.length > 0 && <small className={css.approvals}>{words.twoPeople(approvals.map(nameKind))}</small>}
    </>
  ),
}

const columnOf = (role: Table['roles'][number]): Column<Permission> => ({
  title: frameWords.roles[role],
  show: ({ roles }) => <Mark isAllowed={roles.includes(role)} />,
})

function Matrix({ roles, permissions }: Table) {
  const columns = useMemo(() => [permissionColumn, ...roles.map(columnOf)], [roles])
  return <TableOrCards label={words.matrix} columns={columns} rows={permissions} keyOf={({ permission }) => permission} />
}

/** Every permission with its roles, as the server checks it. */
export function PermissionMatrix() {
  const query = useRead('staff', '/desk/api/staff/permissions', {}, { staleTime: Number.POSITIVE_INFINITY })
  return (
    <Section title={words.matrix}>
      <QueryAnswer query={query}>{(table) => <Matrix {...table} />}</QueryAnswer>
    </Section>
  )
}
