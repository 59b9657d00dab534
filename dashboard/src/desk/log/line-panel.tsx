import type { components } from '../../both/api/dashboard-api.d.ts'
import { Moment } from '../../both/moments/moment.tsx'
import { showAmounts } from '../../both/money/format-ghs.ts'
import { Facts, Panel } from '../frame/panel.tsx'
import { logWords as words } from '../words/log.ts'
import css from './log.module.css'

type Line = components['schemas']['LogPage']['lines'][number]

function Changes({ changes }: { readonly changes: Line['changes'] }) {
  if (changes.length === 0) return null
  return (
    <table className={css.changes}>
      <caption>{words.changes}</caption>
      <thead>
        <tr>
          <th scope="col">{words.field}</th>
          <th scope="col">{words.before}</th>
          <th scope="col">{words.after}</th>
        </tr>
      </thead>
      <tbody>
        {changes.map(({ name, before, after }) => (
          <tr key={name}>
            <th scope="row">{name === '' ? words.value : name}</th>
            <td>{showAmounts(before ?? '—')}</td>
            <td>
              <b>{showAmounts(after ?? '—')}</b>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** One line of the log, with all that it says. */
export function LinePanel({ line }: { readonly line: Line }) {
  return (
    <Panel title={line.action} detail={line.subject}>
      <Changes changes={line.changes} />
      <Facts
        label={words.facts}
        facts={[
          { label: words.reason, value: line.reason },
          { label: words.actor, value: line.actor },
          { label: words.address, value: line.address ?? words.terminal },
          { label: words.osUser, value: line.os_user },
          { label: words.at, value: <Moment at={line.at} /> },
          ...line.fields.map(({ name, value }) => ({ label: name, value })),
          { label: words.line, value: line.line_id },
        ]}
      />
    </Panel>
  )
}
