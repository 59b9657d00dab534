import { Button, Textarea } from '@mantine/core'
import { useState } from 'react'
import { post } from '../../both/api/call-api.ts'
import { useAct } from '../../both/api/use-read.ts'
import { Form } from '../../both/form/form.tsx'
import { bindText } from '../../both/form/typed.ts'
import { Card, Section } from '../../both/layout/page.tsx'
import { keyWords } from '../words/keys.ts'

const linesOf = (text: string): string[] => text.split(/[\s,;]+/).filter((line) => line !== '')

type Props = { readonly keyId: string; readonly addresses: readonly string[]; readonly yourAddress: string }

/**
 * The addresses and networks from which a key may be used, one on each line. After saving, it warns if the reader's own address
 * is not among them.
 */
export function AddressesForm({ keyId, addresses, yourAddress }: Props) {
  const [text, setText] = useState(addresses.join('\n'))
  const saving = useAct(
    () => post('/app/api/keys/{key_id}/addresses', { key_id: keyId, addresses: linesOf(text) }),
    ['keys'],
    (saved) => setText(saved.addresses.join('\n')),
  )
  return (
    <Section title={keyWords.addresses}>
      <Form
        sending={saving}
        action={keyWords.saveAddresses}
        acts={
          <Button variant="default" onClick={() => setText([...linesOf(text), yourAddress].join('\n'))}>
            {keyWords.addYours}
          </Button>
        }
        done={saving.data && <SavedAddresses saved={saving.data} yourAddress={yourAddress} />}
      >
        <Textarea
          label={keyWords.addressesLabel}
          description={keyWords.addressesHint}
          {...bindText(text, setText)}
          rows={4}
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          styles={{ input: { fontFamily: 'var(--mono)', height: 'auto' } }}
        />
        <p className="soft fine">{keyWords.yourAddress(yourAddress)}</p>
      </Form>
    </Section>
  )
}

type SavedProps = { readonly saved: { readonly is_yours_allowed: boolean }; readonly yourAddress: string }

function SavedAddresses({ saved, yourAddress }: SavedProps) {
  return (
    <>
      <p>{keyWords.savedAddresses}</p>
      {!saved.is_yours_allowed && (
        <Card tone="gold">
          <b>{keyWords.notYours}</b>
          <p>{keyWords.notYoursDetail(yourAddress)}</p>
        </Card>
      )}
    </>
  )
}
