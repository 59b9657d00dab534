import { Radio } from '@mantine/core'
import { fieldWords } from '../../both/field-words.ts'
import { memberRoles } from '../../both/role-words.ts'
import { teamWords as words } from '../words/team.ts'
import css from './team.module.css'

const roles = ['owner', 'buyer', 'viewer'] as const

export type Role = (typeof roles)[number]

/** Lets a person choose one of the three roles. Each is shown with what it may do. */
export function RoleChoice({ role, onChoose }: { readonly role: Role; readonly onChoose: (role: Role) => void }) {
  return (
    <Radio.Group
      label={fieldWords.role}
      value={role}
      onChange={(chosen) => onChoose(roles.find((known) => known === chosen) ?? role)}
    >
      {roles.map((each) => (
        <Radio key={each} className={css.role} value={each} label={memberRoles[each]} description={words.roleMeans[each]} />
      ))}
    </Radio.Group>
  )
}
