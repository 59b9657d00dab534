import { Button, Radio, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation, useParams } from 'wouter'
import { post, type Schema } from '../../both/api/call-api.ts'
import { useRefresh } from '../../both/api/use-read.ts'
import { Form } from '../../both/form/form.tsx'
import { bindText } from '../../both/form/typed.ts'
import { Card, Page } from '../../both/layout/page.tsx'
import { Empty, QueryAnswer } from '../../both/layout/query-states.tsx'
import { SaveTextButtons } from '../../both/save-text-buttons.tsx'
import { sharedWords } from '../../both/words.ts'
import { frameWords } from '../words/frame.ts'
import { keyWords } from '../words/keys.ts'
import { type KeyType, type TypedKey, useKeys } from './key-type.ts'
import css from './keys.module.css'

type MadeKey = Schema<'MadeKey'>

/** Shows the new key. No other screen shows it. */
export function ShownKey({ type, made }: { readonly type: KeyType; readonly made: MadeKey }) {
  const [, go] = useLocation()
  return (
    <Page
      title={keyWords.madeTitle}
      foot={
        <Button fullWidth onClick={() => go('/developer')}>
          {keyWords.done}
        </Button>
      }
    >
      <Card tone="gold">
        <b>{keyWords.madeOnce}</b>
        <p>{made.status === 'pending' ? keyWords.madePending : keyWords.madeActive}</p>
      </Card>
      <output className={css.made} style={{ display: 'block' }} aria-label={keyWords.madeTitle}>
        {made.key}
      </output>
      <div className={css.actions}>
        <SaveTextButtons text={made.key} label={keyWords.copyKey} fileName={`makola-${type}-key.txt`} />
      </div>
    </Page>
  )
}

type FormProps = { readonly typed: TypedKey; readonly onMade: (made: MadeKey) => void }

/**
 * Explains what a new key does. A working old key may continue for some days. If the old key ends at once, the person types its
 * last characters.
 */
function NewKeyForm({ typed: { type, key: old, old_key: ending }, onMade }: FormProps) {
  const mayRotate = old?.status === 'active' && !ending
  const [isGentle, setGentle] = useState(mayRotate)
  const refresh = useRefresh()
  const [typedEnd, setTypedEnd] = useState('')
  const making = useMutation({
    mutationFn: () =>
      old && isGentle ? post('/app/api/keys/{key_id}/rotate', { key_id: old.key_id }) : post('/app/api/keys', { type }),
    onSuccess: (made) => {
      onMade(made)
      return refresh(['keys'])
    },
  })
  const isReady = !old || isGentle || typedEnd.trim().toLowerCase() === old.hint
  return (
    <Form sending={making} action={old ? keyWords.replace : keyWords.make} isReady={isReady}>
      {mayRotate && (
        <Radio.Group
          label={keyWords.oldEnds}
          value={isGentle ? 'later' : 'now'}
          onChange={(value) => setGentle(value === 'later')}
        >
          <Radio mt={8} value="later" label={keyWords.oldEndsLater} description={keyWords.oldEndsLaterDetail} />
          <Radio mt={8} value="now" label={keyWords.oldEndsNow} />
        </Radio.Group>
      )}
      <p>{isGentle || type === 'sms' ? keyWords.worksAfter : keyWords.waitsAfter}</p>
      <p>{keyWords.shownOnce}</p>
      {old && !isGentle && (
        <Card tone="bad">
          <b>{keyWords.oldStops}</b>
          <p>{keyWords.oldStopsDetail(old.hint)}</p>
          <TextInput
            mt={12}
            label={keyWords.typeHint(old.hint)}
            autoComplete="off"
            autoCapitalize="none"
            {...bindText(typedEnd, setTypedEnd)}
          />
        </Card>
      )}
    </Form>
  )
}

export default function NewKeyScreen() {
  const { type } = useParams<{ type: string }>()
  const [made, setMade] = useState<MadeKey>()
  const keys = useKeys()
  const typed = keys.data?.keys.find((each) => each.type === type)
  if (made && typed) return <ShownKey type={typed.type} made={made} />
  return (
    <Page title={typed ? keyWords.newTitle[typed.type] : frameWords.developer}>
      <QueryAnswer query={keys}>
        {() => {
          if (!typed) return <Empty title={keyWords.noSuchType} />
          if (typed.obstacle !== null) return <Empty title={sharedWords.refused}>{typed.obstacle_message}</Empty>
          return <NewKeyForm typed={typed} onMade={setMade} />
        }}
      </QueryAnswer>
    </Page>
  )
}
