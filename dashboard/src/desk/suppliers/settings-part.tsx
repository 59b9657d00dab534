import { Group, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { answerOf, api } from '../../both/api/call-api.ts'
import { Act } from '../../both/form/act.tsx'
import { useMay } from '../me.ts'
import { settingsWords, suppliersWords } from '../words/suppliers.ts'
import type { DeskSupplier } from './ask-suppliers.ts'
import { CredentialsCard } from './credentials-card.tsx'
import { NumberField } from './number-field.tsx'
import css from './suppliers.module.css'
import { TestCall } from './test-call.tsx'

const topics = ['suppliers', 'orders'] as const

/** The settings as texts of the form. An empty pace means that there is no limit. */
type Draft = { readonly address: string; readonly slots: number | ''; readonly perSecond: number | ''; readonly settings: string }

const draftOf = ({ base_url, slots, requests_per_second, settings }: DeskSupplier): Draft => ({
  address: base_url ?? '',
  slots,
  perSecond: requests_per_second ?? '',
  settings: JSON.stringify(settings, null, 2),
})

/** Reads a JSON object; undefined for any other text. */
function readObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text.trim() === '' ? '{}' : text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

function changesOf(before: Draft, after: Draft): string[] {
  const { lines, becomes, noLimit, noAddress, settings } = settingsWords
  const pace = (perSecond: number | '') => (perSecond === '' ? noLimit : String(perSecond))
  return [
    ...(after.address === before.address ? [] : [becomes(lines.address, before.address || noAddress, after.address)]),
    ...(after.slots === before.slots ? [] : [becomes(lines.slots, String(before.slots), String(after.slots))]),
    ...(after.perSecond === before.perSecond ? [] : [becomes(lines.perSecond, pace(before.perSecond), pace(after.perSecond))]),
    ...(after.settings === before.settings ? [] : [settings]),
  ]
}

function DraftFields({ draft, onChange }: { readonly draft: Draft; readonly onChange: (change: Partial<Draft>) => void }) {
  return (
    <>
      <TextInput
        mt={12}
        label={settingsWords.address}
        description={settingsWords.addressHelp}
        value={draft.address}
        maxLength={500}
        onChange={({ currentTarget }) => onChange({ address: currentTarget.value.trim() })}
      />
      <Group mt={12} grow>
        <NumberField label={settingsWords.slots} value={draft.slots} onChange={(slots) => onChange({ slots })} />
        <NumberField
          label={settingsWords.perSecond}
          placeholder={settingsWords.noLimit}
          value={draft.perSecond}
          onChange={(perSecond) => onChange({ perSecond })}
        />
      </Group>
      <Textarea
        mt={12}
        label={settingsWords.settings}
        description={settingsWords.settingsHelp}
        error={readObject(draft.settings) ? undefined : settingsWords.badSettings}
        autosize
        minRows={3}
        maxRows={12}
        classNames={{ input: css.code ?? '' }}
        value={draft.settings}
        onChange={({ currentTarget }) => onChange({ settings: currentTarget.value })}
      />
    </>
  )
}

function ChangeSettings({ supplier }: { readonly supplier: DeskSupplier }) {
  const [change, setChange] = useState<Partial<Draft>>({})
  const before = draftOf(supplier)
  const draft = { ...before, ...change }
  const lines = changesOf(before, draft)
  const send = (reason: string) => {
    const settings = readObject(draft.settings)
    if (!settings) throw new Error(settingsWords.badSettings)
    const body = {
      reason,
      ...(draft.address !== before.address && { base_url: draft.address }),
      ...(draft.slots !== before.slots && draft.slots !== '' && { slots: draft.slots }),
      ...(draft.perSecond !== before.perSecond && { requests_per_second: draft.perSecond === '' ? null : draft.perSecond }),
      ...(draft.settings !== before.settings && { settings }),
    }
    return answerOf(() =>
      api.POST('/desk/api/suppliers/{supplier}/settings', { params: { path: { supplier: supplier.supplier } }, body }),
    )
  }
  return (
    <Act
      label={settingsWords.edit}
      question={settingsWords.editQuestion(supplier.supplier)}
      reason="needed"
      button={{ size: 'compact-sm' }}
      topics={topics}
      onDone={() => setChange({})}
      run={async (reason) => send(reason)}
    >
      <DraftFields draft={draft} onChange={(next) => setChange({ ...change, ...next })} />
      <ul className={css.foresight}>
        {lines.length === 0 && <li>{settingsWords.nothing}</li>}
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </Act>
  )
}

function SwitchSupplier({ supplier: { supplier, is_enabled: isEnabled } }: { readonly supplier: DeskSupplier }) {
  const { disable, disableQuestion, disableEffect, enable, enableQuestion, enableEffect } = settingsWords
  return (
    <Act
      label={isEnabled ? disable : enable}
      question={isEnabled ? disableQuestion(supplier) : enableQuestion(supplier)}
      reason="needed"
      isGrave={isEnabled}
      button={{ size: 'compact-sm', variant: 'default' }}
      topics={topics}
      run={(reason) =>
        answerOf(() =>
          api.POST('/desk/api/suppliers/{supplier}/settings', {
            params: { path: { supplier } },
            body: { enabled: !isEnabled, reason },
          }),
        )
      }
    >
      <p>{isEnabled ? disableEffect : enableEffect}</p>
    </Act>
  )
}

/** A supplier's settings: its address, its pace, its credentials by name; and a call that buys nothing. */
export function SettingsPart({ supplier }: { readonly supplier: DeskSupplier }) {
  const mayChange = useMay('manage_suppliers')
  const { adapter, base_url: address, slots, requests_per_second: perSecond, role, settings } = supplier
  return (
    <>
      {supplier.is_simulated && <p className={css.soft}>{suppliersWords.simulated}</p>}
      <dl className={css.facts}>
        <dt>{settingsWords.adapter}</dt>
        <dd>{adapter}</dd>
        <dt>{settingsWords.address}</dt>
        <dd>{address ?? settingsWords.noAddress}</dd>
        <dt>{role === 'sms' ? settingsWords.window : settingsWords.slots}</dt>
        <dd>{slots}</dd>
        <dt>{settingsWords.perSecond}</dt>
        <dd>{perSecond ?? settingsWords.noLimit}</dd>
      </dl>
      {Object.keys(settings).length > 0 && <pre className={css.code}>{JSON.stringify(settings, null, 2)}</pre>}
      {mayChange && (
        <Group gap={8} mt={12}>
          <ChangeSettings supplier={supplier} />
          <SwitchSupplier supplier={supplier} />
        </Group>
      )}
      <CredentialsCard supplier={supplier} mayChange={mayChange} />
      {mayChange && <TestCall supplier={supplier} />}
    </>
  )
}
