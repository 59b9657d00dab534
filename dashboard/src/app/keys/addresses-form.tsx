import { Button, Textarea } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { answerOf, api } from '../../both/api/call-api.ts'
import { Card, Section } from '../../both/layout/page.tsx'
import { Failure } from '../../both/layout/wait.tsx'
import { keyWords } from '../words/keys.ts'
import { keysKey } from './key-type.ts'
import css from './keys.module.css'

const linesOf = (text: string): string[] => text.split(/[\s,;]+/).filter((line) => line !== '')

type Props = { readonly keyId: string; readonly addresses: readonly string[]; readonly yourAddress: string }

/**
 * The addresses and networks from which a key may be used, one on each line. After saving, it warns if the reader's own address
 * is not among them.
 */
export function AddressesForm({ keyId, addresses, yourAddress }: Props) {
  const queries = useQueryClient()
  const [text, setText] = useState(addresses.join('\n'))
  const saving = useMutation({
    mutationFn: () =>
      answerOf(() =>
        api.POST('/app/api/keys/{key_id}/addresses', {
          params: { path: { key_id: keyId } },
          body: { addresses: linesOf(text) },
        }),
      ),
    onSuccess: async (saved) => {
      setText(saved.addresses.join('\n'))
      await queries.invalidateQueries({ queryKey: keysKey })
    },
  })
  return (
    <Section title={keyWords.addresses}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          saving.mutate()
        }}
      >
        <Textarea
          label={keyWords.addressesLabel}
          description={keyWords.addressesHint}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          rows={4}
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          styles={{ input: { fontFamily: 'var(--mono)', height: 'auto' } }}
        />
        <p className={css.soft}>{keyWords.yourAddress(yourAddress)}</p>
        <div className={css.actions}>
          <Button type="submit" loading={saving.isPending}>
            {keyWords.saveAddresses}
          </Button>
          <Button variant="default" onClick={() => setText([...linesOf(text), yourAddress].join('\n'))}>
            {keyWords.addYours}
          </Button>
        </div>
      </form>
      <div role="status" style={{ marginTop: 12 }}>
        {saving.data && <p>{keyWords.savedAddresses}</p>}
        {saving.data?.is_yours_allowed === false && (
          <Card tone="gold">
            <b>{keyWords.notYours}</b>
            <p>{keyWords.notYoursDetail(yourAddress)}</p>
          </Card>
        )}
      </div>
      {saving.isError && <Failure error={saving.error} />}
    </Section>
  )
}
