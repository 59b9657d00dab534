import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api, requestData, type Schema } from '../../both/api/call-api.ts'
import { useAct } from '../../both/api/use-read.ts'
import { emptyFileField } from '../../both/form/empty-file-field.ts'
import { Card, Section } from '../../both/layout/page.tsx'
import { Failure } from '../../both/layout/query-states.tsx'
import { State } from '../../both/list/state.tsx'
import { AmountField } from '../../both/money/amount-field.tsx'
import { readAmount, unitCost } from '../../both/money/read-amount.ts'
import { voucherWords } from '../words/vouchers.ts'
import type { VoucherType } from './type-acts.tsx'
import css from './vouchers.module.css'

const topics = ['vouchers', 'alarms', 'needs', 'log', 'reports', 'today']

type Result = Schema<'VoucherImportResult'>

function sendFile(typeId: string, file: File, isDryRun: boolean, cost?: number): Promise<Result> {
  return requestData(() =>
    api.POST('/desk/api/vouchers/types/{type_id}/import', {
      params: {
        path: { type_id: typeId },
        query: { dry_run: isDryRun, file_name: file.name.slice(0, 200), ...(cost !== undefined && { cost }) },
      },
      body: file as never,
      bodySerializer: (body) => body as never,
      headers: { 'content-type': 'text/csv' },
    }),
  )
}

function Problems({ result }: { readonly result: Result }) {
  return (
    <Card tone="bad">
      <State tone="fail">{voucherWords.wrong(result.problem_count)}</State>
      <ul className={css.problems}>
        {result.problems.map(({ line, message }) => (
          <li key={line}>{voucherWords.wrongLine(line, message)}</li>
        ))}
      </ul>
    </Card>
  )
}

function Found({ result, type, children }: { result: Result; type: VoucherType; children: React.ReactNode }) {
  const { imported, skipped, known_lines: lines } = result
  return (
    <Card tone="gold">
      <b>{imported === 0 ? voucherWords.nothingNew : voucherWords.wouldImport(imported)}</b>
      {skipped > 0 && <p>{voucherWords.known(skipped, lines)}</p>}
      {imported > 0 && (
        <>
          <p>{voucherWords.stockAfter(type.available_count, type.available_count + imported)}</p>
          {children}
        </>
      )}
    </Card>
  )
}

function FileField({ onFile }: { readonly onFile: (file: File | undefined) => void }) {
  return (
    <label className={css.file}>
      <span>{voucherWords.file}</span>
      <input
        type="file"
        accept=".csv,text/csv,text/plain"
        onClick={emptyFileField}
        onChange={({ currentTarget }) => onFile(currentTarget.files?.[0])}
      />
    </label>
  )
}

/** Imports a file of vouchers in two steps: checks the file first, and imports it when the person confirms. */
export function ImportVouchers({ type }: { readonly type: VoucherType }) {
  const [file, setFile] = useState<File>()
  const [cost, setCost] = useState('')
  const understood = readAmount(cost, unitCost)
  const checking = useMutation({ mutationFn: (chosen: File) => sendFile(type.type_id, chosen, true) })
  const importing = useAct(
    (chosen: File) => sendFile(type.type_id, chosen, false, understood.amount),
    topics,
    () => {
      setFile(undefined)
      setCost('')
      checking.reset()
    },
  )
  const result = checking.data
  return (
    <Section title={voucherWords.import}>
      <p className="soft fine">{voucherWords.importHelp}</p>
      <FileField
        onFile={(chosen) => {
          setFile(chosen)
          importing.reset()
          if (chosen) checking.mutate(chosen)
        }}
      />
      <div role="status">
        {checking.isError && <Failure error={checking.error} {...(file && { onRetry: () => checking.mutate(file) })} />}
        {importing.isError && <Failure error={importing.error} />}
        {importing.data && <State tone="done">{voucherWords.imported(importing.data.imported)}</State>}
        {result && result.problem_count > 0 && <Problems result={result} />}
        {result && result.problem_count === 0 && (
          <Found result={result} type={type}>
            <AmountField
              kind={unitCost}
              label={voucherWords.cost}
              description={voucherWords.costHelp}
              text={cost}
              onText={setCost}
            />
            <Button
              mt={12}
              loading={importing.isPending}
              disabled={understood.problem !== undefined}
              onClick={() => file && importing.mutate(file)}
            >
              {voucherWords.doImport(result.imported)}
            </Button>
          </Found>
        )}
      </div>
    </Section>
  )
}
