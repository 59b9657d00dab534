import { Moment } from '../../both/moments/moment.tsx'
import { keyWords } from '../words/keys.ts'
import type { TypedKey } from './key-type.ts'
import css from './keys.module.css'

export function KeyFacts({ made }: { readonly made: NonNullable<TypedKey['key']> }) {
  return (
    <dl className={css.facts}>
      <dt>{keyWords.created}</dt>
      <dd>
        <Moment at={made.created_at} />
      </dd>
      <dt>{keyWords.lastUsed}</dt>
      <dd>{made.last_used_at === null ? keyWords.neverUsed : <Moment at={made.last_used_at} />}</dd>
      {made.last_used_address !== null && (
        <>
          <dt>{keyWords.lastAddress}</dt>
          <dd>{made.last_used_address}</dd>
        </>
      )}
      <dt>{keyWords.usableFrom}</dt>
      <dd>{made.addresses.length === 0 ? keyWords.everywhere : made.addresses.join(', ')}</dd>
    </dl>
  )
}
