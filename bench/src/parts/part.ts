import type { Bench } from '../bench-servers.ts'
import type { Cost, Plot, Ratio } from '../report/report.ts'

export type Findings = {
  readonly ratios?: readonly Ratio[]
  /** Rates and processor time, by name. */
  readonly costs?: readonly Cost[]
  readonly figures?: Readonly<Record<string, number>>
  readonly plots?: readonly Plot[]
}

/** One part of the bench. It can run alone, on a fresh database or after any other part. */
export type Part = {
  /** The name that `--only` takes. */
  readonly name: string
  readonly measures: string
  /** Left out of a quick run: no goal depends on it, or a short run proves nothing. */
  readonly isForFullRunOnly?: true
  run(bench: Bench): Promise<Findings>
}
