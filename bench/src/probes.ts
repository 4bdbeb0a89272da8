import { setTimeout as wait } from 'node:timers/promises'

const probeEvery = 30

/** Requests lists sequentially at a steady pace, like another user of the console. */
export class Probes {
  #times: number[] = []
  #isOver = false
  #turn: Promise<void> = Promise.resolve()
  readonly #url: string
  readonly #headers: Record<string, string>

  constructor(url: string, headers: Record<string, string>) {
    this.#url = url
    this.#headers = headers
  }

  start(): void {
    this.#turn = this.#run()
  }

  /** Stops and returns the times in milliseconds, shortest first. */
  async stop(): Promise<number[]> {
    this.#isOver = true
    await this.#turn
    return this.#times.toSorted((a, b) => a - b)
  }

  async #run(): Promise<void> {
    const paths = ['manifest?limit=20', 'entity?limit=20&search=order', 'navigator/version']
    for (let index = 0; !this.#isOver; index++) {
      const started = performance.now()
      const response = await fetch(`${this.#url}/1.0/cdm/${paths[index % paths.length]}`, { headers: this.#headers })
      await response.text()
      if (!response.ok) throw new Error(`A request beside the import was refused: ${response.status}.`)
      this.#times.push(performance.now() - started)
      await wait(Math.max(0, probeEvery - (performance.now() - started)))
    }
  }
}
