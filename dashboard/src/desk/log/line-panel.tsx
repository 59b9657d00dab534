import { Link } from 'wouter'
import type { components } from '../../both/api/dashboard-api.d.ts'
import { fieldWords } from '../../both/field-words.ts'
import { inWords, valueInWords } from '../../both/in-words.ts'
import { Moment } from '../../both/moments/moment.tsx'
import { Facts, Panel } from '../frame/panel.tsx'
import { logWords as words } from '../words/log.ts'
import { aboutOf, nameActor, sentenceOf } from '../words/log-sentences.ts'
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
          <th scope="col">{fieldWords.before}</th>
          <th scope="col">{fieldWords.after}</th>
        </tr>
      </thead>
      <tbody>
        {changes.map(({ name, before, after }) => (
          <tr key={name}>
            <th scope="row">{name === '' ? fieldWords.value : name}</th>
            <td>{valueInWords(before ?? '—')}</td>
            <td>
              <b>{valueInWords(after ?? '—')}</b>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

export function LinePanel({ line }: { readonly line: Line }) {
  return (
    <Panel title={sentenceOf(line)}>
      <Changes changes={line.changes} />
      <Facts
        label={words.facts}
        facts={{
          [fieldWords.reason]: line.reason && inWords(line.reason),
          [fieldWords.about]: line.path === null ? aboutOf(line) : <Link href={line.path}>{aboutOf(line)}</Link>,
          [fieldWords.who]: nameActor(line.actor),
          [fieldWords.address]: line.address ?? words.terminal,
          [words.osUser]: line.os_user,
          [fieldWords.when]: <Moment at={line.at} />,
          ...Object.fromEntries(line.fields.map(({ name, value }) => [name, name === 'reference' ? value : valueInWords(value)])),
          [words.action]: <code>{line.action}</code>,
          [words.line]: line.line_id,
        }}
      />
    </Panel>
  )
}
