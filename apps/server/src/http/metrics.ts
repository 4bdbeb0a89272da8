import { collectDefaultMetrics, Histogram, Registry } from 'prom-client'

/** Metrics of one server. Each has its own registry, because tests run several servers in one process. */
export class Metrics {
  #registry = new Registry()
  #answers = new Histogram({
    name: 'cadmus_http_request_seconds',
    help: 'Time to answer, by route.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [this.#registry],
  })

  /** Memory, CPU and event loop metrics; call once per process. */
  collectProcess(): void {
    collectDefaultMetrics({ register: this.#registry })
  }

  answered(method: string, route: string, status: number, milliseconds: number): void {
    this.#answers.observe({ method, route, status: String(status) }, milliseconds / 1000)
  }

  get contentType(): string {
    return this.#registry.contentType
  }

  text(): Promise<string> {
    return this.#registry.metrics()
  }
}
