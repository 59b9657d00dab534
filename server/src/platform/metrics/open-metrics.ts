import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from '@prometheus-io/client'

/** The metrics of one process, in a registry of their own. Our own names begin with `makola_` and end with the unit. */
export type Metrics = {
  readonly registry: Registry
  counter<Label extends string>(name: string, help: string, labels: readonly Label[]): Counter<Label>
  /** `buckets` are the upper bounds of the histogram's steps. */
  histogram<Label extends string>(
    name: string,
    help: string,
    labels: readonly Label[],
    buckets: readonly number[],
  ): Histogram<Label>
  gauge<Label extends string>(name: string, help: string, labels: readonly Label[]): Gauge<Label>
  /** Runs before each reading, for metrics that must be looked up. If it throws, the reading fails. */
  beforeReading(collect: () => Promise<void>): void
  /** The metrics in Prometheus' text format. */
  read(): Promise<string>
}

/**
 * Node's own metrics measure the event loop this often; at the library's defaults an idle process is mostly busy measuring
 * itself.
 */
const loopDelayMilliseconds = 20
const loopUseMilliseconds = 1_000

/** Opens the metrics of this process, with those of Node itself: event loop, garbage collection, memory. */
export function openMetrics(role: string): Metrics {
  const registry = new Registry()
  registry.setDefaultLabels({ role })
  collectDefaultMetrics({
    register: registry,
    eventLoopMonitoringPrecision: loopDelayMilliseconds,
    eventLoopUtilizationTimeout: loopUseMilliseconds,
  })
  const collectors: (() => Promise<void>)[] = []
  const registers = [registry]
  return {
    registry,
    counter: (name, help, labels) => new Counter({ name, help, labelNames: [...labels], registers }),
    histogram: (name, help, labels, buckets) =>
      new Histogram({ name, help, labelNames: [...labels], buckets: [...buckets], registers }),
    gauge: (name, help, labels) => new Gauge({ name, help, labelNames: [...labels], registers }),
    beforeReading: (collect) => {
      collectors.push(collect)
    },
    async read() {
      await Promise.all(collectors.map((collect) => collect()))
      return registry.metrics()
    },
  }
}
