import { Group } from '@mantine/core'
import { post } from '../../both/api/call-api.ts'
import { fieldWords } from '../../both/field-words.ts'
import { Act } from '../../both/form/act.tsx'
import type { Drafted } from '../../both/form/fields.ts'
import { count } from '../../both/money/read-amount.ts'
import { Facts } from '../frame/panel.tsx'
import { useMay } from '../me.ts'
import { settingsWords, suppliersWords } from '../words/suppliers.ts'
import type { DeskSupplier } from './ask-suppliers.ts'
import { CredentialsCard } from './credentials-card.tsx'
import css from './suppliers.module.css'
import { TestCall } from './test-call.tsx'

const topics = ['suppliers', 'orders'] as const

/** Reads a JSON object; undefined for any other text. */
function readObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text.trim() === '' ? '{}' : text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

const textOf = (settings: object) => JSON.stringify(settings, null, 2)

type Draft = Drafted<ReturnType<typeof fieldsOf>>

/** The fields of the settings. An empty pace means that there is no limit. */
const fieldsOf = ({ base_url, slots, requests_per_second: pace, settings }: DeskSupplier) =>
  ({
    address: {
      kind: 'text',
      label: fieldWords.address,
      help: settingsWords.addressHelp,
      initial: base_url ?? '',
      lengthMax: 500,
    },
    slots: { kind: 'amount', of: count, label: settingsWords.slots, initial: slots },
    perSecond: {
      kind: 'amount',
      of: count,
      label: settingsWords.perSecond,
      help: settingsWords.noLimit,
      initial: pace,
      isOptional: true,
    },
    settings: {
      kind: 'text',
      label: settingsWords.settings,
      help: settingsWords.settingsHelp,
      initial: textOf(settings),
      lines: 3,
      problem: (text: string) => (readObject(text) ? undefined : settingsWords.badSettings),
    },
  }) as const

/** The settings that would change, in words. */
function changesOf({ base_url, slots, requests_per_second: pace, settings }: DeskSupplier, after: Draft): string[] {
  const { lines, becomes, noLimit, noAddress } = settingsWords
  const [address, paceAfter] = [base_url ?? '', after.perSecond ?? null]
  return [
    ...(after.address === address ? [] : [becomes(lines.address, address || noAddress, after.address)]),
    ...(after.slots === slots ? [] : [becomes(lines.slots, String(slots), String(after.slots ?? ''))]),
    ...(paceAfter === pace ? [] : [becomes(lines.perSecond, String(pace ?? noLimit), String(paceAfter ?? noLimit))]),
    ...(after.settings === textOf(settings) ? [] : [settingsWords.settings]),
  ]
}

function ChangeSettings({ supplier: before }: { readonly supplier: DeskSupplier }) {
  const { supplier } = before
  return (
    <Act
      label={settingsWords.edit}
      question={settingsWords.editQuestion(supplier)}
      reason="needed"
      button={{ size: 'compact-sm' }}
      topics={topics}
      fields={fieldsOf(before)}
      run={(reason, { address, slots, perSecond = null, settings: text }) => {
        const settings = readObject(text)
        if (!settings) throw new Error(settingsWords.badSettings)
        return post('/desk/api/suppliers/{supplier}/settings', {
          supplier,
          reason,
          base_url: address === (before.base_url ?? '') ? undefined : address,
          slots: slots === before.slots ? undefined : slots,
          requests_per_second: perSecond === before.requests_per_second ? undefined : perSecond,
          settings: text === textOf(before.settings) ? undefined : settings,
        })
      }}
      effect={(draft) => {
        const lines = changesOf(before, draft)
        return (
          <ul className={css.foresight}>
            {lines.length === 0 && <li>{settingsWords.nothing}</li>}
            {lines.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        )
      }}
    />
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
      run={(reason) => post('/desk/api/suppliers/{supplier}/settings', { supplier, enabled: !isEnabled, reason })}
    >
      <p>{isEnabled ? disableEffect : enableEffect}</p>
    </Act>
  )
}

/**
 * Shows a supplier's address, pace and other settings, and its credentials by name. A button makes a test call that buys
 * nothing.
 */
export function SettingsPart({ supplier }: { readonly supplier: DeskSupplier }) {
  const mayChange = useMay('manage_suppliers')
  const { adapter, base_url: address, slots, requests_per_second: perSecond, role, settings } = supplier
  return (
    <>
      {supplier.is_simulated && <p className="soft fine">{suppliersWords.simulated}</p>}
      <Facts
        label={settingsWords.settings}
        facts={{
          [settingsWords.adapter]: adapter,
          [fieldWords.address]: address ?? settingsWords.noAddress,
          [role === 'sms' ? settingsWords.window : settingsWords.slots]: slots,
          [settingsWords.perSecond]: perSecond ?? settingsWords.noLimit,
        }}
      />
      {Object.keys(settings).length > 0 && <pre className={css.code}>{JSON.stringify(settings, null, 2)}</pre>}
      {mayChange && (
        <Group gap={8} mt={12}>
          <ChangeSettings key={JSON.stringify([address, slots, perSecond, settings])} supplier={supplier} />
          <SwitchSupplier key={`${supplier.is_enabled}`} supplier={supplier} />
        </Group>
      )}
      <CredentialsCard supplier={supplier} mayChange={mayChange} />
      {mayChange && <TestCall supplier={supplier} />}
    </>
  )
}
